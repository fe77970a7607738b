@echo off
rem Runs the larder command from an unpacked distribution. LARDER_JAVA_OPTS: further options for the JVM.
setlocal
call "%~dp0larder-java.cmd" || exit /b 1
"%LARDER_JAVA%\bin\java" --illegal-native-access=deny --sun-misc-unsafe-memory-access=deny --enable-native-access=dev.larder.memory -XX:+UseSerialGC %LARDER_JAVA_OPTS% --module-path "%~dp0..\lib" --module dev.larder.cli/dev.larder.cli.Larder %*
exit /b %ERRORLEVEL%
