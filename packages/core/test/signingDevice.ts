import { openTransportReplayer, RecordStore } from '@ledgerhq/hw-transport-mocker'
import {
  bytesToHex,
  concatHex,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  parseSignature,
  parseTransaction,
  slice,
  type TransactionSerializedEIP1559,
} from 'viem'
import { addressOf, device, livePath, status } from './ledgerExchanges.ts'

const ok = '0x9000'
/** A path of five steps, with its length before them. */
const pathBytes = 21

/**
 * A device that signs with the key of `ledgerExchanges`: transactions, and typed data by its two
 * hashes like an older Ethereum app. `commands` are the received instructions, `signed` the signed
 * data. Set `knowsTypedData` to false for an app without typed data, `signsBlindly` to false if the
 * user has not allowed blind signing.
 */
export function createSigningDevice({ knowsTypedData = true, signsBlindly = true } = {}) {
  const [askAddress, address] = addressOf(livePath(0))
  const commands: string[] = []
  const signed: Hex[] = []
  let sent: Hex = '0x'

  const sign = async (hash: Hex, first: (yParity: number) => number): Promise<Hex> => {
    signed.push(hash)
    const { r, s, yParity } = parseSignature(await device.sign({ hash }))
    return concatHex([numberToHex(first(yParity), { size: 1 }), r, s, ok])
  }
  const answer = async (command: Hex): Promise<Hex> => {
    const [instruction, part] = [slice(command, 1, 2), slice(command, 2, 3)]
    const data: Hex = command.length > 12 ? slice(command, 5) : '0x'
    commands.push(instruction)
    if (command === askAddress) return address
    switch (instruction) {
      case '0x04': {
        sent = part === '0x00' ? slice(data, pathBytes) : concatHex([sent, data])
        if (!isWhole(sent)) return ok
        const isBlind = parseTransaction(sent as TransactionSerializedEIP1559).data !== undefined
        if (isBlind && !signsBlindly) return status.blindSigningOff
        return sign(keccak256(sent), (yParity) => yParity)
      }
      case '0x0c': {
        if (!knowsTypedData) return status.unknown
        if (!signsBlindly) return status.blindSigningOff
        const hashes = slice(data, pathBytes)
        return sign(keccak256(concatHex(['0x1901', hashes])), (yParity) => 27 + yParity)
      }
      default:
        return status.unknown
    }
  }
  async function openTransport() {
    const transport = await openTransportReplayer(new RecordStore())
    transport.exchange = async (command: Buffer) =>
      Buffer.from(hexToBytes(await answer(bytesToHex(command))))
    return transport
  }
  return { openTransport, commands, signed }
}

function isWhole(transaction: Hex) {
  try {
    return parseTransaction(transaction).chainId !== undefined
  } catch {
    return false
  }
}
