@echo off
rem Runs the larder command from an unpacked distribution. LARDER_JAVA_OPTS: further options for the JVM. LARDER_LAB,
rem LARDER_SERVER and LARDER_ARRAY: the jars of the lab, the server and the array, where they are not in the folders lab,
rem server and array. It keeps no AOT cache, as larder does.
setlocal
call "%~dp0larder-java.cmd" || exit /b 1
if not defined LARDER_LAB set "LARDER_LAB=%~dp0..\lab"
if not defined LARDER_SERVER set "LARDER_SERVER=%~dp0..\server"
if not defined LARDER_ARRAY set "LARDER_ARRAY=%~dp0..\array"
set "LARDER_PATH=%~dp0..\lib;%LARDER_LAB%;%LARDER_SERVER%"
set "LARDER_GC=-XX:+UseSerialGC"
set "LARDER_DENY=--illegal-native-access=deny --sun-misc-unsafe-memory-access=deny"
if "%~1"=="array" if exist "%LARDER_ARRAY%\" if exist "%LARDER_SERVER%\" goto array
rem A help page or a completion names all commands, those of the array as well.
set "LARDER_ALL=yes"
for %%C in (queue map top lab serve array) do if "%~1"=="%%C" set "LARDER_ALL="
if defined LARDER_ALL if exist "%LARDER_ARRAY%\" if exist "%LARDER_SERVER%\" goto all
rem These need neither, and start faster without.
for %%C in (queue map top) do if "%~1"=="%%C" (
    set "LARDER_PATH=%~dp0..\lib"
    set "LARDER_DENY="
)
if "%~1"=="serve" set "LARDER_GC=-XX:+UseG1GC"
rem Commands that end soon do not need the second compiler.
for %%C in ("map get" "map put" "map remove" "map info" "map create" "map shell" "queue info" "queue create" "queue tailers" "queue shell") do (
    if "%~1 %~2"=="%%~C" set "LARDER_GC=-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
)
"%LARDER_JAVA%\bin\java" %LARDER_DENY% --enable-native-access=dev.larder.memory %LARDER_GC% %LARDER_JAVA_OPTS% --module-path "%LARDER_PATH%" --module dev.larder.cli/dev.larder.cli.Larder %*
exit /b %ERRORLEVEL%

:array
rem The jars of Ratis share packages, so that they are on the class path; its protobuf needs Unsafe.
if "%~2"=="serve" set "LARDER_GC=-XX:+UseG1GC"
"%LARDER_JAVA%\bin\java" --illegal-native-access=deny --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED %LARDER_GC% %LARDER_JAVA_OPTS% -classpath "%~dp0..\lib\*;%LARDER_SERVER%\*;%LARDER_ARRAY%\*" dev.larder.cli.Larder %*
exit /b %ERRORLEVEL%

:all
"%LARDER_JAVA%\bin\java" %LARDER_DENY% --enable-native-access=ALL-UNNAMED %LARDER_GC% %LARDER_JAVA_OPTS% -classpath "%~dp0..\lib\*;%LARDER_SERVER%\*;%LARDER_ARRAY%\*;%LARDER_LAB%\*" dev.larder.cli.Larder %*
exit /b %ERRORLEVEL%
