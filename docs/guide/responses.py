"""Prints every response of a load as CSV: python3 responses.py RESULT/loads/001-10000/responses"""
import mmap, pathlib, struct, sys

def records(directory):
    for path in sorted(pathlib.Path(directory).glob("*.seg")):
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as segment:
            (offset,) = struct.unpack_from("<Q", segment, 88)       # head: where the records begin
            while True:
                (word,) = struct.unpack_from("<Q", segment, offset)
                length, state = word & 0x3FFFFFFF, word >> 30 & 3
                if state < 2 or state == 3 and length == 0x3FFFFFFF:
                    break                                           # nothing written yet, or END
                if state == 2:                                      # COMMITTED; 3 is PADDING
                    yield segment[offset + 8:offset + 8 + length]
                offset += 8 + length + 7 & ~7

# ns since the start; waited and served: in the target, -1 unknown; kind: 0 get, 1 put; status: see docs/guide/lab.md
print("intended,sent,answered,waited,served,kind,status")
for record in records(sys.argv[1]):
    print(*struct.unpack("<5q2i", record), sep=",")
