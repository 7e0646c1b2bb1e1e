import { keccakP } from '@noble/hashes/sha3'

// Merlin's transcripts (https://merlin.cool) over STROBE-128 (https://strobe.sourceforge.io/specs), as far as verifying
// a signature needs them.

/** Bytes of a STROBE-128 state that are absorbed before it is permuted. */
const rate = 166
/** STROBE's flags of the operations: PRF is I|A|C, AD is A, meta-AD is M|A. */
const flags = { prf: 7, ad: 2, metaAd: 18 }

const encode = (text: string) => new TextEncoder().encode(text)

const encodeLength = (length: number) => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, length, true)
  return bytes
}

/** What both sides of a proof have seen so far. */
export type Transcript = {
  append: (label: string, message: Uint8Array) => void
  /** Bytes that depend on everything before. */
  challenge: (label: string, length: number) => Uint8Array
}

/** An empty transcript of a protocol. */
export function createTranscript(protocol: string): Transcript {
  const strobe = createStrobe('Merlin v1.0')
  const label = (text: string, length: number) => {
    strobe.absorb('metaAd', encode(text))
    strobe.absorb('metaAd', encodeLength(length), true)
  }
  const append = (name: string, message: Uint8Array) => {
    label(name, message.length)
    strobe.absorb('ad', message)
  }
  append('dom-sep', encode(protocol))
  return {
    append,
    challenge(name, length) {
      label(name, length)
      return strobe.squeeze(length)
    },
  }
}

function createStrobe(protocol: string) {
  const state = new Uint8Array(200)
  state.set([1, rate + 2, 1, 0, 1, 96, ...encode('STROBEv1.0.2')])
  const words = new Uint32Array(state.buffer)
  let position = 0
  let begin = 0
  keccakP(words)

  const xor = (at: number, byte: number) => {
    state[at] = (state[at] ?? 0) ^ byte
  }
  const permute = () => {
    xor(position, begin)
    xor(position + 1, 0x04)
    xor(rate + 1, 0x80)
    keccakP(words)
    position = 0
    begin = 0
  }
  const step = () => {
    position += 1
    if (position === rate) permute()
  }
  const absorbBytes = (bytes: Iterable<number>) => {
    for (const byte of bytes) {
      xor(position, byte)
      step()
    }
  }
  const start = (operation: keyof typeof flags) => {
    const before = begin
    begin = position + 1
    absorbBytes([before, flags[operation]])
    if (operation === 'prf' && position !== 0) permute()
  }
  const strobe = {
    /** `more` goes on with the operation that was last. */
    absorb(operation: 'ad' | 'metaAd', bytes: Uint8Array, more = false) {
      if (!more) start(operation)
      absorbBytes(bytes)
    },
    squeeze(length: number) {
      start('prf')
      return Uint8Array.from({ length }, () => {
        const byte = state[position] ?? 0
        state[position] = 0
        step()
        return byte
      })
    },
  }
  strobe.absorb('metaAd', encode(protocol))
  return strobe
}
