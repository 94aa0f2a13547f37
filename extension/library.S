/* The library's file as it is, between two symbols. */
#if defined(__APPLE__)
#define NAME(name) _##name
    .section __DATA,__const
#elif defined(_WIN32)
#define NAME(name) name
    .section .rdata,"dr"
#else
#define NAME(name) name
    .hidden sqlanon_library
    .hidden sqlanon_library_end
    .section .rodata
#endif
    .globl NAME(sqlanon_library)
    .globl NAME(sqlanon_library_end)
    .balign 16
NAME(sqlanon_library):
    .incbin "sqlanon.duckdb"
NAME(sqlanon_library_end):
    .byte 0
#if defined(__ELF__)
    .section .note.GNU-stack,"",%progbits
#endif
