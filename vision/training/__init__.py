"""Making of the learned reader: crops with truth, the net, its training and its way into an ONNX file.

Only this folder imports torch (extra `[train]`), and only inside functions or in modules that nothing outside
imports. `python -m vision.training --help` tells how to go from nothing to a model.
"""
