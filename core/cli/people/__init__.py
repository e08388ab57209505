"""Commands on people's labels and the calibration to them."""
