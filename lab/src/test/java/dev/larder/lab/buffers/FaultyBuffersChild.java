package dev.larder.lab.buffers;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildLoop;
import java.io.IOException;

/** Children that break a rule that the experiment promises to check: controls of its checks. */
final class FaultyBuffersChild {

    private FaultyBuffersChild() {}

    /** Answers every round with one wrong number. */
    static final class Forgetful {

        private Forgetful() {}

        public static void main(String[] arguments) throws IOException {
            answer(arguments, 0, 1);
        }
    }

    /** Answers a round with one block too few. */
    static final class Lazy {

        private Lazy() {}

        public static void main(String[] arguments) throws IOException {
            answer(arguments, 1, 0);
        }
    }

    /** Leaves no files behind. */
    static final class Tidy {

        private Tidy() {}

        public static void main(String[] arguments) throws IOException {
            loop(arguments).on("leave", question -> new Figures()).serve();
        }
    }

    /** Moves a region through the heap. */
    static final class Copying {

        private Copying() {}

        public static void main(String[] arguments) throws IOException {
            BufferProof proof = new BufferProof(BuffersChild.names(arguments));
            loop(arguments)
                    .on(
                            "transfer",
                            question -> proof.transfer(question).put("heap_allocated_bytes", question.whole("bytes")))
                    .serve();
        }
    }

    private static void answer(String[] arguments, long missing, long wrong) throws IOException {
        loop(arguments)
                .on(
                        "round",
                        question -> new Figures()
                                .put("blocks", question.whole("total_bytes") / question.whole("block_bytes") - missing)
                                .put("wrong", wrong))
                .serve();
    }

    private static ChildLoop loop(String[] arguments) {
        return BuffersChild.loop(BuffersChild.names(arguments));
    }
}
