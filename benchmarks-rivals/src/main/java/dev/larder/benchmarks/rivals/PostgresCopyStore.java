package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.database.Durability;
import dev.larder.lab.result.LabException;
import dev.larder.lab.run.RecordScan;
import dev.larder.lab.run.Records;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.PGCopyInputStream;

/**
 * PostgreSQL filled and read by binary COPY, its fastest way.
 *
 * <p>If each commit is durable, each commit is its own COPY. If only the end is durable, the whole load is one COPY in the
 * transaction that made the table, as the documentation advises. With wal_level minimal that COPY is not logged, and the commit
 * syncs the table itself.
 *
 * <pre>
 * stream    | PGCOPY signature 11 | flags 4 | extension length 4 | row ... | -1: 2 |
 * row       | fields 2: 2 | 8: 4 | id 8 | length 4 | body |                            big-endian
 * </pre>
 */
final class PostgresCopyStore extends PostgresStore {

    private static final String SCAN =
            "COPY (SELECT id, body FROM " + TABLE + " ORDER BY id) TO STDOUT (FORMAT binary)";
    private static final byte[] SIGNATURE = "PGCOPY\n\u00ff\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final int HEADER_BYTES = SIGNATURE.length + 8;
    private static final int ROW_HEADER_BYTES = 18;
    private static final int TRAILER_BYTES = 2;
    private static final int BUFFER_BYTES = 256 << 10;

    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private @Nullable CopyIn copy;

    PostgresCopyStore(Durability durability, String url) {
        super(durability, url);
    }

    @Override
    public Figures create(Path directory) throws Exception {
        createTable("");
        if (isDurableAtCommit()) {
            connection().commit();
        }
        return settings(
                isDurableAtCommit()
                        ? "a commit survives the loss of power"
                        : "nothing is there before the end; the commit at the end survives the loss of power",
                isDurableAtCommit()
                        ? "binary COPY, one for each commit"
                        : "binary COPY FREEZE, one for all, in the transaction that makes the table");
    }

    @Override
    public void insert(Records records, long first, long count) throws Exception {
        CopyIn target = copying();
        for (long id = first; id < first + count; id++) {
            if (buffer.remaining() < ROW_HEADER_BYTES + records.recordBytes()) {
                send(target);
            }
            put(records, id);
        }
    }

    private CopyIn copying() throws SQLException {
        CopyIn running = copy;
        if (running == null) {
            String freeze = isDurableAtCommit() ? "" : ", FREEZE";
            running = connection()
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY " + TABLE + " FROM STDIN (FORMAT binary" + freeze + ")");
            copy = running;
            buffer.clear().put(SIGNATURE).putInt(0).putInt(0);
        }
        return running;
    }

    private void put(Records records, long id) {
        int length = records.recordBytes();
        buffer.putShort((short) 2).putInt(Long.BYTES).putLong(id).putInt(length);
        MemorySegment.copy(
                records.segment(), ValueLayout.JAVA_BYTE, records.make(id), buffer.array(), buffer.position(), length);
        buffer.position(buffer.position() + length);
    }

    private void send(CopyIn target) throws SQLException {
        target.writeToCopy(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    private void endCopy() throws SQLException {
        CopyIn running = copy;
        if (running != null) {
            if (buffer.remaining() < TRAILER_BYTES) {
                send(running);
            }
            buffer.putShort((short) -1);
            send(running);
            running.endCopy();
            copy = null;
        }
    }

    @Override
    public void commit() throws Exception {
        if (isDurableAtCommit()) {
            endCopy();
            super.commit();
        }
    }

    @Override
    public void finish() throws Exception {
        endCopy();
        super.finish();
    }

    @Override
    public void scan(RecordScan scan) throws Exception {
        PGConnection driver = connection().unwrap(PGConnection.class);
        try (InputStream rows = new PGCopyInputStream(driver, SCAN)) {
            rows.skipNBytes(HEADER_BYTES);
            byte[] row = new byte[ROW_HEADER_BYTES + scan.recordBytes()];
            MemorySegment segment = MemorySegment.ofArray(row);
            for (int read = rows.readNBytes(row, 0, row.length);
                    read == row.length;
                    read = rows.readNBytes(row, 0, row.length)) {
                scan.take(segment, ROW_HEADER_BYTES, bodyBytes(row));
            }
        }
        connection().commit();
    }

    /**
     * Returns the length of a row's body. Every row has the same requested length; another length would shift all later rows.
     */
    private static int bodyBytes(byte[] row) throws IOException {
        ByteBuffer fields = ByteBuffer.wrap(row);
        if (fields.getShort() != 2) {
            throw new LabException("a row of COPY has other fields than the two of the table");
        }
        return fields.getInt(ROW_HEADER_BYTES - Integer.BYTES);
    }
}
