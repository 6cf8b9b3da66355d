#!/bin/bash
# Makes a Raspberry Pi (or another Debian machine) boot into the Dudo companion.
#
#   sudo .setup/pi/install.sh              install, or bring an installation up to this copy
#   sudo .setup/pi/install.sh update       fetch the newest version first, trusting its git remote, then the same
#   sudo .setup/pi/install.sh update --signed    only a version tag signed by a key in /etc/dudo/signers
#   sudo .setup/pi/install.sh uninstall    remove program and service, keep the games
#   sudo .setup/pi/install.sh uninstall --with-games
#
# Safe to run again at any time. Games live in /var/lib/dudo-companion, settings in /etc/dudo/companion.toml.
set -euo pipefail
umask 022

SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
FOLDER=${DUDO_FOLDER:-/opt/dudo-companion}
DATA=/var/lib/dudo-companion
SETTINGS=/etc/dudo/companion.toml
PROGRAM=(companion hardware vision web docs .setup pyproject.toml README.md CHANGELOG.md LICENSE NOTICE)
UNITS=/etc/systemd/system
COMMAND=/usr/local/bin/dudo
WIFI=/usr/local/sbin/dudo-wifi
FAULT=/usr/local/sbin/dudo-fault
CAPTIVE=/usr/local/sbin/dudo-captive
NAMES=/etc/NetworkManager/dnsmasq-shared.d/dudo-companion.conf
WATCH=/usr/local/sbin/dudo-watch
ADVERT=/etc/avahi/services/dudo-companion.service

say() { printf '%s\n' "$*"; }
usage() { sed -n '4,8s/^# *//p' "$SOURCE/.setup/pi/install.sh"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

need_root() { [ "$(id -u)" = 0 ] || fail "this needs root; run: sudo $0 $*"; }
need_debian() { command -v apt-get >/dev/null || fail "this works on Raspberry Pi OS, Debian and Ubuntu; elsewhere use make run."; }

with_systemd() { [ -d /run/systemd/system ]; }
on_a_pi() { grep -qs 'Raspberry Pi' /proc/device-tree/model; }

install_packages() {
    local parts=(python3 python3-venv ca-certificates avahi-daemon)
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    if on_a_pi; then
        parts+=(python3-picamera2 python3-opencv python3-gpiozero python3-lgpio)
    fi
    apt-get install -y -qq --no-install-recommends "${parts[@]}" >/dev/null
}

# In the devices' groups itself, for commands that somebody types: the service names them in its unit, too.
make_user() {
    local group
    getent passwd dudo >/dev/null ||
        useradd --system --home-dir "$DATA" --shell /usr/sbin/nologin --comment "Dudo companion" dudo
    for group in $(device_groups); do usermod --append --groups "$group" dudo; done
    install -d -o dudo -g "$(id -gn dudo)" -m 0700 "$DATA"
}

device_groups() {
    local group found=()
    for group in gpio video i2c spi input; do
        if getent group "$group" >/dev/null; then found+=("$group"); fi
    done
    printf '%s' "${found[*]}"
}

# The copy is made beside the old one and swapped in, so that a failed copy leaves the old version working. The old one
# is kept, and dudo-watch puts it back where the new one does not start; what was kept before makes room.
# Everybody may read it, whatever the source's modes are: the service runs as another user than its owner.
copy_program() {
    [ "$SOURCE" = "$FOLDER" ] && return 0
    local next="$FOLDER.next"
    rm -rf "$next"
    mkdir -p "$next"
    tar -C "$SOURCE" --exclude='__pycache__' --exclude=docs/enclosure --mode='u=rwX,go=rX' -cf - "${PROGRAM[@]}" |
        tar -C "$next" --no-same-owner -xf -
    if [ -d "$FOLDER/.venv" ]; then cp -al "$FOLDER/.venv" "$next/.venv"; fi  # links: pip replaces files, and writes into none
    echo 0 >"$next/.unproven"
    rm -rf "$FOLDER.last" "$FOLDER.failed" "$DATA/put_back"
    if [ -d "$FOLDER" ]; then mv "$FOLDER" "$FOLDER.last"; fi
    mv "$next" "$FOLDER"
}

install_libraries() { (cd "$FOLDER" && DUDO_VENV=.venv .setup/bootstrap run); }

# Compiled now, because the service may not write beside the program and would compile at every start: the modules, those of
# a start in one file, and the templates, which Jinja writes for their owner alone.
compile_program() {
    (cd "$FOLDER" && .venv/bin/python -m compileall -q companion hardware vision web && .venv/bin/python -c '
from companion.app.compiled import in_one_file

with in_one_file():
    import companion.app.companion
from web.app import Page

drawing = Page("web.app").jinja_env
for name in drawing.list_templates():
    drawing.get_template(name)
' && chmod go+r web/__pycache__/*)
}

install_settings() {
    mkdir -p "$(dirname "$SETTINGS")"
    [ -e "$SETTINGS" ] || printf '# Settings of the Dudo companion; see %s/docs.\n' "$FOLDER" >"$SETTINGS"
    chown "dudo:$(id -gn dudo)" "$SETTINGS"
    chmod 0600 "$SETTINGS"  # passwords of the Wi-Fi and of brokers may stand in it
}

# The port that the settings say. A fault in them does not stop an update: the service itself tells it.
port() {
    "$FOLDER/.venv/bin/python" -c 'from companion.settings_file import load; print(load().web.port)' 2>/dev/null || {
        say "The settings in $SETTINGS have a fault: run dudo doctor." >&2
        echo 8000
    }
}

# How the settings serve the page.
scheme() {
    "$FOLDER/.venv/bin/python" -c 'from companion.settings_file import load; print("https" if load().web.https else "http")' \
        2>/dev/null || echo http
}

# filled TEMPLATE TARGET: the template with what this machine has.
filled() {
    sed -e "s|@FOLDER@|$FOLDER|g" -e "s|@DATA@|$DATA|g" -e "s|@GROUPS@|$(device_groups)|g" -e "s|@PORT@|$PORT|g" -e "s|@SCHEME@|$(scheme)|g" \
        "$FOLDER/.setup/pi/$1" >"$2"
    if [ "$(systemctl --version | awk 'NR == 1 { print $2 }')" -lt 254 ]; then  # Debian 12 has 252
        sed -i -E '/^Restart(Steps|MaxDelaySec)=/d' "$2"
    fi
}

install_units() {
    local unit
    for unit in dudo.slice dudo-companion.service dudo-companion-fault.service dudo-companion-off.service dudo-companion-off.path \
        dudo-companion-wifi.service dudo-companion-wifi.path dudo-companion-captive.service dudo-companion-captive.socket; do
        filled "$unit" "$UNITS/$unit"
    done
    mkdir -p "$(dirname "$ADVERT")" "$(dirname "$COMMAND")" "$(dirname "$WIFI")"
    install -m 0755 "$FOLDER/.setup/pi/wifi" "$WIFI"
    install -m 0755 "$FOLDER/.setup/pi/fault" "$FAULT"
    install -m 0755 "$FOLDER/.setup/pi/captive" "$CAPTIVE"
    mkdir -p "$(dirname "$NAMES")"
    printf '# In the own Wi-Fi of the Dudo companion every name is the box.\naddress=/#/10.42.0.1\n' >"$NAMES"
    filled watch "$WATCH"
    chmod 0755 "$WATCH"
    filled dudo-companion.avahi "$ADVERT"
    filled dudo "$COMMAND"
    chmod 0755 "$COMMAND"
}

start_service() {
    systemctl enable --quiet dudo-companion.service dudo-companion-off.path dudo-companion-wifi.path \
        dudo-companion-captive.socket
    if ! with_systemd; then
        say "systemd does not run here: the service starts with the machine."
        return 0
    fi
    systemctl daemon-reload
    systemctl restart dudo-companion-off.path dudo-companion-wifi.path dudo-companion.service
    systemctl stop dudo-companion-captive.service
    systemctl restart dudo-companion-captive.socket ||
        say "Port 80 is taken here: phones in the box's own Wi-Fi are not led to the page by themselves."
    say "The companion runs: $(scheme)://$(hostname).local:$PORT and"
    for address in $(hostname -I); do say "  $(scheme)://$address:$PORT"; done
}

stop_service() {
    local now=()
    if with_systemd; then now=(--now); fi
    systemctl disable "${now[@]}" --quiet dudo-companion-off.path dudo-companion-wifi.path \
        dudo-companion-captive.socket dudo-companion.service 2>/dev/null || true
}

install_all() {
    need_debian
    say "1 of 3: packages of the system"
    install_packages
    make_user
    say "2 of 3: the program in $FOLDER"
    copy_program
    say "3 of 3: its libraries, some minutes at the first time"
    install_libraries
    compile_program
    install_settings
    PORT=$(port)
    install_units
    start_service
}

update_all() {
    [ -d "$SOURCE/.git" ] || fail "$SOURCE is no git checkout; get the new version there, then run install.sh again."
    command -v git >/dev/null || fail "git is missing; run: sudo apt-get install git"
    local owner
    owner=$(stat -c %U "$SOURCE")
    runuser -u "$owner" -- "$SOURCE/.setup/pi/fetch" "$@"
    exec "$SOURCE/.setup/pi/install.sh"
}

uninstall_all() {
    stop_service
    rm -f "$UNITS"/dudo.slice "$UNITS"/dudo-companion{,-fault}.service "$UNITS"/dudo-companion-{off,wifi,captive}.* \
        "$ADVERT" "$COMMAND" "$WIFI" "$FAULT" "$WATCH" "$CAPTIVE" "$NAMES"
    if with_systemd; then systemctl daemon-reload; fi
    rm -rf "$FOLDER.last" "$FOLDER.failed"
    [ -d "$FOLDER/.git" ] || rm -rf "$FOLDER"  # a checkout somebody works in stays
    if [ "${1:-}" = --with-games ]; then
        rm -rf "$DATA" "$SETTINGS"
        rmdir "$(dirname "$SETTINGS")" 2>/dev/null || true  # others' files in it stay
        if getent passwd dudo >/dev/null; then userdel dudo; fi
        say "The companion and its games are gone."
    else
        say "The companion is gone; its games are still in $DATA."
    fi
}

main() {
    case "${1:-install}" in
        install) need_root; install_all ;;
        update) need_root update; shift; update_all "$@" ;;
        uninstall) need_root uninstall; uninstall_all "${2:-}" ;;
        -h | --help) usage ;;
        *) usage >&2; exit 2 ;;
    esac
}

main "$@"; exit  # read to its end before it may remove itself
