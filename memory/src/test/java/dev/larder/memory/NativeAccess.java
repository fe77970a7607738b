package dev.larder.memory;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** Tests that make native calls; left out where this JVM may not, or the system has none that Larder knows. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
        value = "dev.larder.memory.TestMachine#hasNativeCalls",
        disabledReason = "native calls are switched off in this pass, or the system is not Linux")
public @interface NativeAccess {}
