"""What a model server can do wrong within a reply that comes piece by piece, as faults for a `StandInServer`."""

from collections.abc import Callable, Sequence
from threading import Event

from stand_ins.model_chat import Streamed
from stand_ins.model_server import Exchange, Fault

Packets = Sequence[bytes]


def right_reply(exchange: Exchange) -> Streamed:
    reply = exchange.server.answer(exchange.asked)
    assert isinstance(reply, Streamed)
    return reply


def repacked(change: Callable[[Packets], Packets]) -> Fault:
    """The right reply after `change`, properly ended."""

    def fault(exchange: Exchange) -> None:
        reply = right_reply(exchange)
        exchange.stream(reply.again([packet for packet in change(reply.packets) if packet]))

    return fault


def in_packets_of(size: int) -> Fault:
    """The right reply, cut every so many bytes: within lines and within characters."""

    def cut(packets: Packets) -> Packets:
        raw = b"".join(packets)
        return [raw[start : start + size] for start in range(0, len(raw), size)]

    return repacked(cut)


def in_two(place: int) -> Fault:
    """The right reply in two packets, the second of which begins at this byte."""

    def cut(packets: Packets) -> Packets:
        raw = b"".join(packets)
        return raw[:place], raw[place:]

    return repacked(cut)


def ended_after(packets: int) -> Fault:
    """The beginning of the right reply, ended as if it were whole."""
    return repacked(lambda given: given[:packets])


def with_packet(place: int, packet: bytes) -> Fault:
    """The right reply with something else put before its packet of this number."""
    return repacked(lambda given: [*given[:place], packet, *given[place:]])


def begun(packets: int, then: Fault) -> Fault:
    """The beginning of the right reply, and then something that does not end it."""

    def fault(exchange: Exchange) -> None:
        reply = right_reply(exchange)
        exchange.begin_stream(reply)
        for packet in reply.packets[:packets]:
            exchange.packet(packet)
        then(exchange)
        exchange.hang_up()

    return fault


def hang_up(exchange: Exchange) -> None:
    """The end of the connection, and no more."""


def half_a_packet(exchange: Exchange) -> None:
    """A packet is promised and does not come."""
    exchange.write(b"1000\r\n{")


def silence(exchange: Exchange) -> None:
    exchange.server.closing.wait(30)


def after(signal: Event, then: Fault) -> Fault:
    """Nothing until the test says so."""

    def fault(exchange: Exchange) -> None:
        signal.wait(30)
        then(exchange)

    return fault


def again_and_again(packet: bytes, every_s: float = 0.0) -> Fault:
    """The same packet, far more often than a client should listen to."""

    def fault(exchange: Exchange) -> None:
        for _ in range(500):
            if exchange.server.closing.wait(every_s):
                break
            exchange.packet(packet)

    return fault


def until_left(noticed: Event, packets: int, more: bytes = b"") -> Fault:
    """The beginning of the right reply and something more, then nothing until the client has gone."""

    def fault(exchange: Exchange) -> None:
        reply = right_reply(exchange)
        exchange.begin_stream(reply)
        try:
            for packet in [*reply.packets[:packets], *([more] if more else [])]:
                exchange.packet(packet)
            left = exchange.is_left(30)
        except ConnectionError:
            left = True
        exchange.hang_up()
        if left and not exchange.server.closing.is_set():
            noticed.set()

    return fault
