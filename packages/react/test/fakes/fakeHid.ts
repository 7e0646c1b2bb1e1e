import type { createReplay } from '@latchkey/core/testing'

const packetBytes = 64
/** Channel, tag and number of each packet; the first also has the length. */
const headBytes = 5

/**
 * A browser's WebHID with a Ledger that replays exchanges in the packets of its USB protocol. `log`
 * is the list of the page's calls; `isKnown`: whether the user has chosen it before.
 */
export function createFakeHid({ store }: ReturnType<typeof createReplay>) {
  const log: string[] = []
  const listeners = new Set<(event: { device: object }) => void>()
  let packets: Uint8Array[] = []
  const device = Object.assign(new EventTarget(), {
    vendorId: 0x2c97,
    productId: 0x5011,
    open: async () => void log.push('open'),
    close: async () => void log.push('close'),
    async sendReport(_id: number, packet: Uint8Array) {
      packets.push(Uint8Array.from(packet))
      const length = new DataView(packets[0]?.buffer as ArrayBuffer).getUint16(headBytes)
      const whole = packets.flatMap((each, at) => [...each.slice(headBytes + (at === 0 ? 2 : 0))])
      if (whole.length < length) return
      const channel = [...packet.slice(0, 2)]
      packets = []
      const answer = store.replayExchange(Buffer.from(whole.slice(0, length)))
      const bytes = [answer.length >> 8, answer.length & 0xff, ...answer]
      for (let at = 0; at * (packetBytes - headBytes) < bytes.length; at++) {
        const data = new Uint8Array(packetBytes)
        const piece = bytes.slice(
          at * (packetBytes - headBytes),
          (at + 1) * (packetBytes - headBytes),
        )
        data.set([...channel, 0x05, at >> 8, at & 0xff, ...piece])
        device.dispatchEvent(
          Object.assign(new Event('inputreport'), { data: new DataView(data.buffer) }),
        )
      }
    },
  })
  const hid = {
    log,
    isKnown: false,
    isRefused: false,
    getDevices: async () => (hid.isKnown ? [device] : []),
    async requestDevice() {
      log.push(`chosen ${navigator.userActivation.isActive ? 'in a click' : 'by itself'}`)
      if (hid.isRefused) return []
      hid.isKnown = true
      return [device]
    },
    addEventListener: (_: string, listener: (event: { device: object }) => void) =>
      void listeners.add(listener),
    removeEventListener: (_: string, listener: (event: { device: object }) => void) =>
      void listeners.delete(listener),
    unplug: () => {
      for (const listener of [...listeners]) listener({ device })
    },
  }
  return hid
}
