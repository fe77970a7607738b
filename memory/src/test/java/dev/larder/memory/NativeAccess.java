package dev.larder.memory;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** Marks tests that make native calls; skipped where this JVM may make none, or Larder knows none of the system. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
        value = "dev.larder.memory.TestMachine#hasNativeCalls",
        disabledReason = "native calls are switched off in this pass, or the system is not Linux")
public @interface NativeAccess {}
