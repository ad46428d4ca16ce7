"""The GPU part of linkgistic: liblinkgistic_cuda.so, which `device="cuda"` of its estimators loads."""
