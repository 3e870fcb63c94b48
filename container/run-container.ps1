# Runs the image with a folder as its workspace and the bridge to this machine's hub; see run-container.sh.
param(
    [string]$Dir = '.',
    [string]$Image = $(if ($env:FLIGHTDECK_IMAGE) { $env:FLIGHTDECK_IMAGE } else { 'flightdeck' }),
    [string]$Token = $env:FLIGHTDECK_BRIDGE_TOKEN,
    [int]$Port = $(if ($env:PM_INTERACTIVE_TERMINAL_HOST_PORT) { $env:PM_INTERACTIVE_TERMINAL_HOST_PORT } else { 45459 }),
    [Parameter(ValueFromRemainingArguments = $true)][string[]]$Arguments
)
$ErrorActionPreference = 'Stop'

$engine = $env:FLIGHTDECK_ENGINE
if (-not $engine) {
    $engine = @('podman', 'docker') | Where-Object { Get-Command $_ -ErrorAction SilentlyContinue } | Select-Object -First 1
}
if (-not $engine) { Write-Error 'neither podman nor docker is installed' }

$run = @('run', '--rm', '--interactive', '--volume', "$((Resolve-Path $Dir).Path):/workspace",
    '--env', "PM_INTERACTIVE_TERMINAL_HOST_PORT=$Port")
if ($Token) {
    $run += @('--volume', "${Token}:/run/secrets/flightdeck-bridge:ro")
} else {
    Write-Warning 'no token of a bridge is known: run `flightdeck serve --bridge` first, and set FLIGHTDECK_BRIDGE_TOKEN'
}

# A look before the start: whoever starts the container sees at once that nobody listens.
$client = New-Object System.Net.Sockets.TcpClient
try {
    if (-not $client.ConnectAsync('127.0.0.1', $Port).Wait(2000)) { throw 'timeout' }
} catch {
    Write-Warning "nobody listens at port $Port of this machine: interactive requests will fail with PM_TERM_GUI_UNAVAILABLE"
} finally {
    $client.Dispose()
}

# Podman knows the host by itself; docker is told.
if ($engine -eq 'docker') { $run += @('--add-host', 'host.docker.internal:host-gateway') }
foreach ($name in 'PM_TERM_ADAPTER_MODE', 'PM_INTERACTIVE_TERMINAL_HOST_ALIAS', 'PM_INTERACTIVE_TERMINAL_HOST_FALLBACK_ALIAS',
    'PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS', 'PM_INTERACTIVE_TERMINAL_REQUEST_TIMEOUT_MS',
    'PM_INTERACTIVE_TERMINAL_TRACE_BRIDGE', 'PM_INTERACTIVE_TERMINAL_CONTAINER_NAME') {
    if ([Environment]::GetEnvironmentVariable($name)) { $run += @('--env', $name) }
}
& $engine @run $Image @Arguments
exit $LASTEXITCODE
