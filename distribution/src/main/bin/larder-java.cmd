@echo off
rem Sets LARDER_JAVA to the home of the Java that runs Larder, 25 or newer: LARDER_JAVA_HOME (which must fit), JAVA_HOME,
rem the java on the PATH, then the places where installers put it. Says what to install if there is none.
set "LARDER_JAVA="
if defined LARDER_JAVA_HOME (
    call :take "%LARDER_JAVA_HOME%"
    if not defined LARDER_JAVA goto misnamed
    exit /b 0
)
if defined JAVA_HOME call :take "%JAVA_HOME%"
for /f "delims=" %%J in ('where java 2^>nul') do call :take "%%~dpJ.."
for %%V in ("Java" "Eclipse Adoptium" "Amazon Corretto" "BellSoft" "Microsoft" "Zulu") do (
    for /d %%H in ("%ProgramFiles%\%%~V\*") do call :take "%%~H"
)
for %%D in ("%USERPROFILE%\.jdks" "%USERPROFILE%\.gradle\jdks" "%USERPROFILE%\.m2\jdks" "%USERPROFILE%\.jbang\cache\jdks") do (
    for /d %%H in ("%%~D\*") do call :take "%%~H"
)
for /d %%H in ("%USERPROFILE%\scoop\apps\*") do call :take "%%~H\current"
if defined LARDER_JAVA exit /b 0
echo larder: Larder needs Java 25 or newer, and found none.>&2
echo Install a JDK 25, for example from https://adoptium.net ^(any vendor's will do^), or name yours:>&2
echo     set LARDER_JAVA_HOME=C:\path\to\jdk>&2
exit /b 1

:misnamed
echo larder: LARDER_JAVA_HOME names no Java 25 or newer: %LARDER_JAVA_HOME%>&2
exit /b 1

:take
if defined LARDER_JAVA exit /b 0
if not exist "%~1\bin\java.exe" exit /b 0
if not exist "%~1\release" exit /b 0
set "LARDER_RELEASE=0"
for /f "tokens=2 delims==." %%R in ('findstr /b "JAVA_VERSION=" "%~1\release"') do set "LARDER_RELEASE=%%R"
set LARDER_RELEASE=%LARDER_RELEASE:"=%
if %LARDER_RELEASE% GEQ 25 set "LARDER_JAVA=%~1"
exit /b 0
