package dev.larder.benchmarks.rivals;

import dev.larder.lab.database.Durability;
import dev.larder.lab.database.MixedWork;
import dev.larder.lab.database.RecordStore;
import dev.larder.lab.result.LabException;
import dev.larder.lab.run.RecordScan;
import dev.larder.lab.run.Records;
import java.lang.foreign.MemorySegment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A table of records behind JDBC: prepared statements, sent in batches, committed by hand. */
abstract class SqlStore implements RecordStore {

    /** The table, with a name that no user's table has. */
    static final String TABLE = "larder_lab_records";

    /** The number of records that go to the driver at once. */
    static final int BATCH = 1000;

    private static final String INSERT = "INSERT INTO " + TABLE + " (id, body) VALUES (?, ?)";

    /** A scan in the order of insertion, which the table itself may not have: PostgreSQL fills pages as it finds room. */
    private static final String SCAN = "SELECT body FROM " + TABLE + " ORDER BY id";

    private final Durability durability;
    private @Nullable Connection connection;
    private @Nullable PreparedStatement insert;

    SqlStore(Durability durability) {
        this.durability = durability;
    }

    boolean isDurableAtCommit() {
        return durability == Durability.COMMIT;
    }

    /** Takes a connection whose table exists, and commits explicitly from now on. */
    void use(Connection opened) throws SQLException {
        connection = opened;
        opened.setAutoCommit(false);
    }

    Connection connection() {
        if (connection == null) {
            throw new LabException("the database is not open");
        }
        return connection;
    }

    static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Returns the first column of the first row, as a text. */
    static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            return answer.next() ? String.valueOf(answer.getString(1)) : "";
        }
    }

    @Override
    public void insert(Records records, long first, long count) throws Exception {
        PreparedStatement statement = inserting();
        for (long id = first; id < first + count; id++) {
            statement.setLong(1, id);
            statement.setBytes(2, records.array(id));
            statement.addBatch();
            if ((id - first) % BATCH == BATCH - 1) {
                statement.executeBatch();
            }
        }
        statement.executeBatch();
    }

    private PreparedStatement inserting() throws SQLException {
        PreparedStatement known = insert;
        if (known == null) {
            known = connection().prepareStatement(INSERT);
            insert = known;
        }
        return known;
    }

    @Override
    public void commit() throws Exception {
        connection().commit();
    }

    @Override
    public void scan(RecordScan scan) throws Exception {
        try (PreparedStatement select = connection().prepareStatement(SCAN)) {
            select.setFetchSize(BATCH);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    scan.take(rows.getBytes(1));
                }
            }
        }
        connection().commit();
    }

    @Override
    public void query(Records records, long[] ids) throws Exception {
        try (PreparedStatement select = connection().prepareStatement("SELECT body FROM " + TABLE + " WHERE id = ?")) {
            for (long id : ids) {
                select.setLong(1, id);
                check(records, id, select);
            }
        }
        connection().commit();
    }

    @Override
    public boolean mix(MixedWork work) throws Exception {
        try (PreparedStatement select = connection().prepareStatement("SELECT body FROM " + TABLE + " WHERE id = ?");
                PreparedStatement update =
                        connection().prepareStatement("UPDATE " + TABLE + " SET body = ? WHERE id = ?")) {
            for (int i = 0; i < work.count(); i++) {
                if (work.isWrite(i)) {
                    update(work.replacement(i), work.id(i), update);
                } else {
                    select.setLong(1, work.id(i));
                    check(work.expected(i), work.id(i), select);
                }
                if (work.isCommit(i)) {
                    commit();
                }
            }
        }
        return true;
    }

    private static void update(Records records, long id, PreparedStatement update) throws SQLException {
        update.setBytes(1, records.array(id));
        update.setLong(2, id);
        if (update.executeUpdate() != 1) {
            throw new LabException("record " + id + " was not found");
        }
    }

    private static void check(Records records, long id, PreparedStatement select) throws SQLException {
        try (ResultSet row = select.executeQuery()) {
            if (!row.next()) {
                throw new LabException("record " + id + " was not found");
            }
            byte[] body = row.getBytes(1);
            records.checkBytes(id, MemorySegment.ofArray(body), 0, body.length);
        }
    }

    @Override
    public void close() throws Exception {
        if (insert != null) {
            insert.close();
            insert = null;
        }
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }
}
