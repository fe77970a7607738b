package dev.larder.log;

/** A listener for the progress of long work, called by the thread that does the work. */
@FunctionalInterface
public interface WorkProgress {

    /**
     * Takes the parts that are done, such as segments or bytes.
     *
     * @param total the parts of the whole work, as it is known now
     */
    void onProgress(long done, long total);
}
