@echo off
rem Runs the larder command from a clone: builds what is missing or older than its sources, then runs it.
setlocal
set "ROOT=%~dp0"
set "BUILT=%ROOT%distribution\target\quick\larder"
call "%ROOT%distribution\src\main\bin\larder-java.cmd" || exit /b 1
set "WORD=%~1"
if "%WORD%"=="--json" set "WORD=%~2"
set "PART=%WORD%"
for %%c in (backup restore config) do if "%WORD%"=="%%c" set "PART=serve"
if "%PART%"=="serve" (
    call :build distribution,distribution-server "%ROOT%target\quick\larder-server-built" || exit /b 1
    set "LARDER_SERVER=%ROOT%distribution-server\target\quick\larder\server"
) else if "%WORD%"=="array" (
    call :build distribution,distribution-server,distribution-array "%ROOT%target\quick\larder-array-built" || exit /b 1
    set "LARDER_SERVER=%ROOT%distribution-server\target\quick\larder\server"
    set "LARDER_ARRAY=%ROOT%distribution-array\target\quick\larder\array"
) else if not "%WORD%"=="lab" (
    call :build distribution "%ROOT%target\quick\larder-built" || exit /b 1
) else (
    call :build distribution,distribution-lab "%ROOT%target\quick\larder-lab-built" || exit /b 1
    set "LARDER_LAB=%ROOT%distribution-lab\target\quick\larder\lab"
)
echo " %* " | findstr /c:" lab array " >nul && (
    call :build distribution,distribution-server,distribution-array "%ROOT%target\quick\larder-array-built" || exit /b 1
    set "LARDER_SERVER=%ROOT%distribution-server\target\quick\larder\server"
    set "LARDER_ARRAY=%ROOT%distribution-array\target\quick\larder\array"
)
echo " %* " | findstr /c:" --rival" /c:" lab database " /c:" lab heap " /c:" lab map " >nul && (
    call :build benchmarks-rivals "%ROOT%target\quick\larder-rivals-built" || exit /b 1
    set "LARDER_RIVALS=%ROOT%benchmarks-rivals\target\quick\rivals"
)
call "%BUILT%\bin\larder.cmd" %*
exit /b %ERRORLEVEL%

:build
if not exist "%ROOT%target\quick" mkdir "%ROOT%target\quick"
powershell -NoProfile -Command "$stamp = Get-Item -ErrorAction SilentlyContinue '%~2'; $sources = Get-ChildItem -Recurse -File '%ROOT%.mvn', '%ROOT%*\src\main', '%ROOT%*\pom.xml', '%ROOT%pom.xml'; if ($stamp -and (Test-Path '%BUILT%\bin\larder.cmd') -and -not ($sources | Where-Object LastWriteTime -gt $stamp.LastWriteTime)) { exit 0 } else { exit 1 }"
if not errorlevel 1 exit /b 0
where mvn >nul 2>nul || (
    echo larder: building Larder needs Maven 3.8.1 or newer, but no mvn is on the PATH: https://maven.apache.org>&2
    exit /b 1
)
if not defined JAVA_HOME set "JAVA_HOME=%LARDER_JAVA%"
echo larder: building %1 ^(once; kept until a source changes^)>&2
type nul >"%~2.begin"
pushd "%ROOT%"
call mvn -B -ntp -Dquick -Pbenchmarks -pl %1 -am package 1>&2
set "RESULT=%ERRORLEVEL%"
popd
if not "%RESULT%"=="0" exit /b 1
move /y "%~2.begin" "%~2" >nul
exit /b 0
