"""The library's speed beside that of NumPy by hand, PyTorch and HIPS autograd.

python -m benchmarks [name ...] [--rounds N]
"""
