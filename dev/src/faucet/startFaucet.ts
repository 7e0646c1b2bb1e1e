import { createServer, type IncomingMessage } from 'node:http'
import { parseEther, toHex } from 'viem'
import { z } from 'zod'
import { deriveAccounts } from '../chains/accounts.ts'
import { bitcoinChain } from '../chains/bitcoin/definition.ts'
import { type DevChainId, devChainIds } from '../chains/definitions.ts'
import { callRpc } from '../chains/rpc.ts'
import { solanaChain } from '../chains/solana/definition.ts'
import { host } from '../ports.ts'

/** A faucet of the local chains. */
export type Faucet = { readonly url: string; stop(): Promise<void> }

type Pay = (address: string) => Promise<unknown>

/** The amount of one payment: 1 ETH, 1 SOL, 0.1 BTC. */
const amounts = { wei: parseEther('1'), lamports: 1_000_000_000, satoshis: 10_000_000 }

const payment = z.object({ address: z.string().min(1).max(100) })
const maxBodyBytes = 1_000

/**
 * Pays test money: `POST /{CAIP-2 id} {"address"}` returns 204 after the chain has accepted the
 * transaction, 404 for an unknown chain, 400 for an address that the chain refuses. Port 0 is any
 * free port.
 */
export async function startFaucet(parameters: {
  port: number
  /** URLs of the nodes. */
  evm: Record<DevChainId, string>
  solanaUrl: string
  bitcoinUrl: string
}): Promise<Faucet> {
  const payers = makePayers(parameters)
  const server = createServer(async (request, response) => {
    const pay = request.method === 'POST' ? payers[request.url?.slice(1) ?? ''] : undefined
    if (!pay) return response.writeHead(404).end()
    try {
      await pay(payment.parse(JSON.parse(await readText(request))).address)
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(400).end(error instanceof Error ? error.message : String(error))
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(parameters.port, host, resolve)
  })
  const address = server.address()
  return {
    url: `http://${host}:${typeof address === 'object' && address ? address.port : parameters.port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function makePayers({
  evm,
  solanaUrl,
  bitcoinUrl,
}: Omit<Parameters<typeof startFaucet>[0], 'port'>): Record<string, Pay> {
  const from = deriveAccounts()[payerIndex]?.address
  const payers = devChainIds.map((id): [string, Pay] => [
    id,
    (to) => {
      const transaction = { from, to, value: toHex(amounts.wei) }
      return callRpc(evm[id], 'eth_sendTransaction', [transaction])
    },
  ])
  return {
    ...Object.fromEntries(payers),
    [solanaChain.id]: (address) =>
      callRpc(solanaUrl, 'requestAirdrop', [address, amounts.lamports]),
    [bitcoinChain.id]: (address) => payBitcoin(bitcoinUrl, address),
  }
}

// No test spends from it.
const payerIndex = 8

async function payBitcoin(url: string, address: string) {
  const response = await fetch(`${url}/faucet`, {
    method: 'POST',
    body: JSON.stringify({ address, value: amounts.satoshis }),
  })
  if (!response.ok) throw new Error(await response.text())
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > maxBodyBytes) throw new Error('The request is too large')
  }
  return text
}
