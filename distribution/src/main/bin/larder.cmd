@echo off
rem Runs the larder command from an unpacked distribution. LARDER_JAVA_OPTS: further options for the JVM. LARDER_LAB: the
rem jars of the lab, where they are not in the folder lab.
setlocal
call "%~dp0larder-java.cmd" || exit /b 1
if not defined LARDER_LAB set "LARDER_LAB=%~dp0..\lab"
set "LARDER_PATH=%~dp0..\lib;%LARDER_LAB%"
rem These need no lab, and start faster without.
for %%C in (queue map top) do if "%~1"=="%%C" set "LARDER_PATH=%~dp0..\lib"
"%LARDER_JAVA%\bin\java" --illegal-native-access=deny --sun-misc-unsafe-memory-access=deny --enable-native-access=dev.larder.memory -XX:+UseSerialGC %LARDER_JAVA_OPTS% --module-path "%LARDER_PATH%" --module dev.larder.cli/dev.larder.cli.Larder %*
exit /b %ERRORLEVEL%
