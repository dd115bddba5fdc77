"""A vision-language model exported to ONNX, run on this machine: on the GPU where there is one."""
