"""Text in images: PP-OCR models on ONNX Runtime, and the lines they read put together."""
