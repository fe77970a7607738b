package dev.larder.lab.load;

/** Answers every request at once, by itself: what is left is the generator, and what it can do at most. */
final class EchoDriver implements Driver {

    private final Answers answers;

    EchoDriver(Answers answers) {
        this.answers = answers;
    }

    @Override
    public void send(long id, Request request) {
        answers.answered(id, Service.SERVED, 0, 0);
    }

    @Override
    public boolean flush() {
        return true;
    }

    @Override
    public void close() {
        // it holds nothing
    }
}
