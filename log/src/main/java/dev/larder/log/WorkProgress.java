package dev.larder.log;

/** Is told how far a long piece of work has come, by the thread that does it. */
@FunctionalInterface
public interface WorkProgress {

    /**
     * Takes the parts that are done, such as segments or bytes.
     *
     * @param total the parts of the whole work, as it is known now
     */
    void onProgress(long done, long total);
}
