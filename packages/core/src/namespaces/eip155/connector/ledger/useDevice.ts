import { LatchkeyError } from '@latchkey/wire'
import type Eth from '@ledgerhq/hw-app-eth'
import { loadOnce } from '../../../../loadOnce.ts'
import { toLedgerError } from './ledgerError.ts'
import { chooseDevice } from './webHid.ts'

/** A connection to a device, by any of Ledger's transports. */
export type Transport = Eth['transport']

/**
 * Runs `work` with the Ethereum app of the device, one at a time. Throws the errors of
 * `toLedgerError`.
 */
export type UseDevice = <Result>(work: (eth: Eth) => Promise<Result>) => Promise<Result>

// By default, Ledger's library would request contract and token data from these Ledger hosts.
const nobodyAsked = {
  nftExplorerBaseURL: null,
  pluginBaseURL: null,
  cryptoassetsBaseURL: null,
  calServiceURL: null,
  extraPlugins: null,
} as const

/**
 * Opens the device for each use and closes it afterwards, so that other pages and programs can use
 * it in between.
 */
export function createUseDevice(openTransport: (() => Promise<Transport>) | undefined): UseDevice {
  const load = loadOnce(() => loadPackages(openTransport))
  let last: Promise<unknown> = Promise.resolve()
  const run: UseDevice = async (work) => {
    const { App, open } = await load()
    try {
      const transport = await open()
      return await whilePluggedIn(transport, () => work(new App(transport, 'w0w', nobodyAsked)))
    } catch (error) {
      throw toLedgerError(error)
    }
  }
  return (work) => {
    const running = last.then(() => run(work))
    last = running.catch(() => {})
    return running
  }
}

async function whilePluggedIn<Result>(transport: Transport, work: () => Promise<Result>) {
  let unplug: (cause: unknown) => void = () => {}
  let isUnplugged = false
  const unplugged = new Promise<never>((_, reject) => {
    unplug = (cause) => {
      isUnplugged = true
      reject(cause)
    }
  })
  transport.on('disconnect', unplug)
  try {
    return await Promise.race([work(), unplugged])
  } finally {
    transport.off('disconnect', unplug)
    // A request to an unplugged device never settles.
    const closing = transport.close().catch(() => {})
    if (!isUnplugged) await closing
  }
}

async function loadPackages(openTransport: (() => Promise<Transport>) | undefined) {
  try {
    // Ledger's packages expect Node's Buffer.
    const { Buffer } = await import('buffer/')
    const page = globalThis as { Buffer?: unknown }
    page.Buffer ??= Buffer
    const [{ default: App }, open] = await Promise.all([
      import('@ledgerhq/hw-app-eth'),
      openTransport ?? loadWebHid(),
    ])
    return { App, open }
  } catch (cause) {
    const reason =
      'The code that reaches a Ledger could not be loaded. Check your network and try again. The app needs the packages @ledgerhq/hw-app-eth, @ledgerhq/hw-transport-webhid and buffer'
    throw new LatchkeyError('WALLET_NOT_READY', { data: { reason }, cause })
  }
}

async function loadWebHid() {
  const { default: WebHid } = await import('@ledgerhq/hw-transport-webhid')
  return async (): Promise<Transport> => {
    // A browser may forget the chosen device when it is unplugged.
    await chooseDevice()
    const transport = await WebHid.openConnected()
    if (transport) return transport
    throw Object.assign(new Error('No device'), { name: 'DisconnectedDevice' })
  }
}
