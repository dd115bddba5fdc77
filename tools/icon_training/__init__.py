"""How the icon reader is made: icon sets drawn in Chromium, a net trained on their names and tags, one ONNX file."""
