"""The language server: what an editor shows of a law while it is being written.

`protocol` speaks the Language Server Protocol and is the only module that needs `pygls`; all others take and give
plain values: `workbench` keeps the open files and their problems, `completion`, `hover`, `definition`, `symbols` and
`actions` answer what an editor asks.
"""
