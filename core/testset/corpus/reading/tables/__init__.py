"""Facts from tables: grids of cells, figures by period, records, units."""
