import { createServer } from 'node:net'

/** Every port of the stack: its part, the default, and the variable that changes it. */
const portTable = {
  web: { variable: 'PORT', port: 3000, what: 'web app, API and relay' },
  frame: { variable: 'FRAME_PORT', port: 3001, what: 'secure frame' },
  wallet: { variable: 'WALLET_PORT', port: 3002, what: 'development wallet' },
  inbox: { variable: 'INBOX_PORT', port: 3003, what: 'mail inbox' },
  identity: { variable: 'IDENTITY_PORT', port: 3004, what: 'identity provider' },
  media: { variable: 'MEDIA_PORT', port: 3005, what: 'pictures of the development items' },
  bitcoin: { variable: 'BITCOIN_PORT', port: 3006, what: 'Bitcoin chain' },
  faucet: { variable: 'FAUCET_PORT', port: 3007, what: 'faucet of the local chains' },
  checkout: { variable: 'CHECKOUT_PORT', port: 3008, what: 'checkout' },
  evm: { variable: 'EVM_PORT', port: 8545, what: 'Latchkey One chain' },
  evm2: { variable: 'EVM2_PORT', port: 8546, what: 'Latchkey Two chain' },
  solana: { variable: 'SOLANA_PORT', port: 8899, what: 'Solana chain' },
} as const

/** A name of the table. */
export type PortName = keyof typeof portTable

/** Host of all servers of the stack: nothing is reachable from outside this machine. */
export const host = '127.0.0.1'

/**
 * The port of `name`: a free port for tests, else the port in its variable or in the table. Throws
 * if the variable is invalid.
 */
export async function choosePort(name: PortName, ports: 'default' | 'free'): Promise<number> {
  if (ports === 'free') return freePort()
  const { variable, port } = portTable[name]
  const text = process.env[variable]
  if (text === undefined || text === '') return port
  const chosen = Number(text)
  if (!/^\d+$/.test(text) || chosen < 1 || chosen > 65_535) {
    throw new Error(`${variable}=${text} is not a port: use a number from 1 to 65535`)
  }
  return chosen
}

/** Throws with the variable to change if another program already listens on `port`. */
export async function assertPortFree(name: PortName, port: number): Promise<void> {
  const listened = await listen(port).catch((error: NodeJS.ErrnoException) => error.code)
  if (typeof listened === 'number') return
  const { variable, what } = portTable[name]
  const why = listened === 'EACCES' ? 'may not be used' : 'is taken'
  throw new Error(
    `Port ${port} (${what}) ${why}. End what uses it, or choose another: ${variable}=${port + 10} npm start`,
  )
}

// Below the ports that systems assign automatically, and above the last port that browsers refuse.
const free = { first: 11_000, count: 21_000 }
/** Processes that run at the same time have numbers close to each other. */
const portsPerProcess = 1_031
let freePortsGiven = 0

/** A free port that no other process of this repository gets before it is used. */
export async function freePort(): Promise<number> {
  const place = (process.pid * portsPerProcess + freePortsGiven++) % free.count
  return listen(free.first + place).catch(freePort)
}

const listen = (port: number) =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port))
    })
  })
