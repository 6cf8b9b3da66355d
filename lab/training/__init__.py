"""Making of the learned reader: what it learns from, the nets and their training, the weights of formulas.

`pictures` makes crops with their truth, `nets` trains on them and writes ONNX files, `weights` fits what
needs no net; `stages` says what follows what. Only this folder imports torch (extra `[train]`), and only
inside functions or in modules that nothing outside imports. `python -m lab.training --help` tells how to
go from nothing to a model.
"""
