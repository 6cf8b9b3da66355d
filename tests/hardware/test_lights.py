"""Lamps and buzzer on mock pins, read back from the pins themselves."""

import pytest

from hardware.errors import PinTaken
from hardware.gpio.pins import Pins
from hardware.gpio.wiring import Wiring
from hardware.lamps.pin_lights import PinLights
from hardware.ports import BoxState, LampView, SeatLamp
from tests.clocks import FakeClock
from tests.hardware.shown import playing, shown

WIRING = Wiring()
SEATS = (SeatLamp.STARTS, SeatLamp.IN, SeatLamp.LOSES, SeatLamp.OUT)


@pytest.fixture
def lights(pins, clock):
    opened = PinLights(WIRING, pins, clock)
    yield opened
    opened.close()


def level(pins: Pins, number: int) -> float:
    return float(pins.factory.pin(f"GPIO{number}").state)


def test_the_status_light_follows_state_and_time(pins, clock, lights):
    lights.show(LampView(BoxState.FAILS))
    assert shown(lights).rgb == (1.0, 0.0, 0.0)
    assert [level(pins, n) for n in (18, 19, 13)] == [1.0, 0.0, 0.0]
    clock.advance(0.6)
    assert shown(lights).rgb == (0.0, 0.0, 0.0)
    assert level(pins, 18) == 0.0


def test_the_same_view_again_does_not_restart_the_pattern(clock, lights):
    lights.show(LampView(BoxState.FAILS))
    clock.advance(0.6)
    lights.show(LampView(BoxState.FAILS))
    assert shown(lights).rgb == (0.0, 0.0, 0.0)


def test_seat_lamps_show_who_starts_loses_and_is_out(pins, clock, lights):
    lights.show(LampView(BoxState.FAILS, SEATS))
    assert shown(lights).seats == (1.0, 0.0, 1.0, 1.0)
    clock.advance(0.2)
    assert shown(lights).seats == (1.0, 0.0, 0.0, 0.0)
    assert [level(pins, n) for n in WIRING.seats] == [1, 0, 0, 0, 0, 0]


def test_a_seat_without_a_lamp_is_still_reported_to_the_page(pins, clock):
    lights = PinLights(Wiring(seats=(16,)), pins, clock)
    lights.show(LampView(BoxState.BIDDING, SEATS))
    assert shown(lights).seats == (1.0, 0.0, 1.0, 1.0)
    lights.close()


def test_the_ring_is_plainly_on_without_pwm(pins, lights):
    """Pulses made by software jitter, and show as bands in a picture."""
    for lit in (True, False, True):
        lights.ring(lit)
        assert (level(pins, 12), shown(lights).ring, pins.factory.pin("GPIO12").frequency) == (
            lit,
            lit,
            None,
        )


def test_the_ring_is_lit_steadily_while_the_camera_works_and_only_then(lights):
    levels = []
    for state in (BoxState.BIDDING, BoxState.LOOKING, BoxState.QUESTION, BoxState.LOOKING, BoxState.STANDS):
        lights.show(LampView(state))
        levels.append(shown(lights).ring)
    assert levels == [0.0, 1.0, 1.0, 1.0, 0.0]


def test_a_common_anode_is_lit_by_a_low_pin(pins, clock):
    lights = PinLights(Wiring(common_anode=True), pins, clock)
    lights.show(LampView(BoxState.FAILS))
    assert shown(lights).rgb == (1.0, 0.0, 0.0)
    assert [level(pins, n) for n in (18, 19, 13)] == [0.0, 1.0, 1.0]
    lights.close()


def test_a_lamp_whose_pin_is_taken_is_a_fault_until_it_is_free(pins, lights, clock):
    second = PinLights(Wiring(status=(18, 4, 14), seats=(15,), ring=None, buzzer=None), pins, clock)
    assert [type(f) for f in second.faults()] == [PinTaken]
    second.show(LampView(BoxState.FAILS, (SeatLamp.STARTS,)))
    assert shown(second).rgb == (1.0, 0.0, 0.0)
    assert level(pins, 15) == 1.0
    lights.close()
    second._devices.open()
    assert second.faults() == ()
    assert shown(second).rgb == (1.0, 0.0, 0.0)
    assert level(pins, 18) == 1.0
    second.close()


def test_a_box_without_any_lamp_still_says_what_it_would_show(pins, clock):
    lights = PinLights(Wiring(status=None, seats=(), ring=None), pins, clock)
    lights.show(LampView(BoxState.FAULT, fault="camera_missing"))
    seen = shown(lights)
    assert (seen.rgb, seen.pattern) == ((1.0, 0, 0), "3 short flashes, then a pause")
    lights.close()


def test_each_lamp_can_be_lit_alone_for_a_test(pins, clock, lights):
    lights.show(LampView(BoxState.BIDDING, SEATS))
    lights.ring(True)
    number_of = dict(WIRING.parts())
    all_pins = [number_of[part] for part in lights.parts()]
    assert len(all_pins) == 3 + 6 + 1
    for part in lights.parts():
        lights.test(part)
        assert [n for n in all_pins if level(pins, n) > 0] == [number_of[part]]
    lights.test(None)
    assert shown(lights).rgb == (0.0, 0.1, 1.0)
    assert shown(lights).ring == 1.0


def test_closing_darkens_everything_and_may_be_done_twice(pins, lights):
    lights.show(LampView(BoxState.BIDDING, SEATS))
    lights.ring(True)
    lights.close()
    lights.close()
    assert {level(pins, n) for n in (18, 19, 13, 12, *WIRING.seats)} == {0.0}
    again = PinLights(WIRING, pins, FakeClock())
    assert again.faults() == ()
    again.close()


def test_the_buzzer_plays_a_pattern_once(pins, clock):
    sound = PinLights(WIRING, pins, clock)
    sound.play(BoxState.QUESTION)
    heard = []
    clock.advance(0.01)
    for _ in range(8):
        heard.append(playing(sound))
        assert level(pins, 26) == heard[-1]
        clock.advance(0.05)
    assert heard == [True, True, False, False, True, True, False, False]
    sound.close()
    sound.close()


def test_a_new_sound_cuts_off_the_old_and_closing_is_silence(pins, clock):
    sound = PinLights(WIRING, pins, clock)
    sound.play(BoxState.STANDS)
    assert playing(sound)
    sound.play(BoxState.IDLE)
    assert not playing(sound)
    sound.play(BoxState.STANDS)
    assert playing(sound)
    sound.close()
    assert level(pins, 26) == 0.0


def test_a_taken_buzzer_pin_is_a_fault(pins, clock, lights):
    sound = PinLights(Wiring(status=None, seats=(), ring=None, buzzer=23), pins, clock)
    assert [type(f) for f in sound.faults()] == [PinTaken]
    sound.play(BoxState.STANDS)
    assert playing(sound)
    sound.close()


def test_a_box_without_a_buzzer_is_silent(pins, clock):
    sound = PinLights(Wiring(buzzer=None), pins, clock)
    sound.play(BoxState.STANDS)
    assert sound.faults() == ()
    sound.close()
