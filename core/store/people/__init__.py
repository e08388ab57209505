"""Labels, calibrations and findings in the store."""
