package dev.larder.tests.support;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Lets tests wait longer than Awaitility's default of ten seconds, because a busy machine may hold up a thread for so long. A
 * test whose condition never holds takes longer to fail for that.
 */
public final class PatientWaits implements TestExecutionListener {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        try {
            Awaitility.setDefaultTimeout(PATIENCE);
        } catch (NoClassDefFoundError _) { // the tests of this module do not wait
        }
    }
}
