"""The condition language: words, lexer, grammar, syntax tree, types, checking and printing."""
