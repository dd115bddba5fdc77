"""OCR: PP-OCR models on ONNX Runtime, and the layout of the lines they find."""
