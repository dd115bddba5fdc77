"""Images as arrays: decoding, cropping, colours, set-of-marks."""
