package dev.larder.cli.entry;

/** How the bytes of a key or a value are written on the command line. */
public enum ByteForm {

    /** What they seem to be: a typed value by its schema, text where they are UTF-8, else 0x and hex. Given: text. */
    AUTO,

    /** UTF-8. */
    TEXT,

    /** Two digits a byte; 0x before them may be there. */
    HEX,

    /** As in RFC 4648. */
    BASE64,

    /** 4 bytes, little-endian. */
    INT,

    /** 8 bytes, little-endian. */
    LONG,

    /** 8 bytes, IEEE 754. */
    DOUBLE,

    /** A typed value: the name of its record and JSON, {@code Trade {"symbol":"XY"}}; its schema is in the directory. */
    RECORD
}
