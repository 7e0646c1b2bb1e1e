import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { address, createSolanaRpc } from '@solana/kit'
import { createPublicClient, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { bitcoinChain } from './chains/bitcoin/definition.ts'
import { solanaChain } from './chains/solana/definition.ts'
import { freePort } from './ports.ts'
import { root } from './root.ts'
import { type Stack, startStack } from './stack.ts'
import type { Part } from './startPart.ts'

const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  cleanups.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const start = async (): Promise<Stack> => {
  const parts: ('chains' | 'server')[] = ['chains', 'server']
  const parameters = { mode: 'production', ports: 'free', dataDir: folder(), parts } as const
  const stack = await startStack({ ...parameters, log: () => {} })
  cleanups.push(stack.stop)
  return stack
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )

test('default: the server serves the chains, and stop ends both', async () => {
  const stack = await start()
  const balance = `${stack.urls.web}/v1/account/${stack.accounts[0]?.address}/balance`
  const answer = await fetch(`${balance}?projectId=local&chainId=eip155:31338`)
  const { balances } = await answer.json()
  expect(balances.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual([
    'ETH',
    'WETH',
    'dBTC',
    'dGLD',
    'dUSD',
  ])
  await stack.stop()
  expect(await answers(stack.urls.web)).toBe(false)
  expect(await answers(stack.urls.rpc['eip155:31337'])).toBe(false)
})

test('behavior: the metadata of the items points to the media server of the same stack', async () => {
  const parts: Part[] = ['chains', 'media']
  const parameters = { mode: 'production', ports: 'free', dataDir: folder(), parts } as const
  const stack = await startStack({ ...parameters, log: () => {} })
  cleanups.push(stack.stop)
  const chain = createPublicClient({ transport: http(stack.urls.rpc['eip155:31338']) })
  const uri = await chain.readContract({
    address: stack.addresses['eip155:31338'].items,
    abi: parseAbi(['function uri(uint256) view returns (string)']),
    functionName: 'uri',
    args: [2n],
  })
  expect(uri).toBe(`${stack.urls.media}/items/{id}.json`)
  const metadata = await (await fetch(uri.replace('{id}', '2'.padStart(64, '0')))).json()
  expect(metadata.name).toBe('Tin Compass')
})

test('behavior: the resolver of names points to the server of the same stack', async () => {
  const stack = await start()
  const id = 'eip155:31338'
  const [holder] = stack.accounts
  const account = privateKeyToAccount(holder?.privateKey ?? '0x')
  const name = 'alder.latchkey.id'
  const timestamp = Math.floor(Date.now() / 1000)
  const message = JSON.stringify({ action: 'register', name, attributes: {}, timestamp })
  const body = {
    ...{ message, address: account.address, coin_type: 0x80000000 + 31338 },
    signature: await account.signMessage({ message }),
  }
  const request = { method: 'POST', body: JSON.stringify(body) }
  const { status } = await fetch(`${stack.urls.web}/v1/profile/account`, request)
  expect(status).toBe(200)
  const client = createPublicClient({ transport: http(stack.urls.rpc[id]) })
  const universalResolverAddress = stack.addresses[id].universalResolver
  expect(await client.getEnsAddress({ name, universalResolverAddress })).toBe(account.address)
})

test('param: parts with the Solana chain, which the server names too, and with the faucet', async () => {
  const parts: Part[] = ['chains', 'solana', 'faucet', 'server']
  const parameters = { mode: 'production', ports: 'free', dataDir: folder(), parts } as const
  const stack = await startStack({ ...parameters, log: () => {} })
  cleanups.push(stack.stop)
  const answer = await (await fetch(`${stack.urls.web}/v1/supported-chains`)).json()
  expect(answer.http).toEqual(['eip155:31337', 'eip155:31338', solanaChain.id])
  const rpc = createSolanaRpc(stack.urls.rpc[solanaChain.id])
  const holder = address(stack.solanaAccounts[4]?.address ?? '')
  expect((await rpc.getBalance(holder).send()).value).toBe(1_000_000_000_000n)

  await askFaucet(stack, `${solanaChain.id}:${someSolanaAddress}`)
  const paid = await rpc.getBalance(address(someSolanaAddress), { commitment: 'processed' }).send()
  expect(paid.value).toBe(1_000_000_000n)
  await askFaucet(stack, `eip155:31338:${someEvmAddress}`)
  const chain = createPublicClient({ transport: http(stack.urls.rpc['eip155:31338']) })
  expect(await chain.getBalance({ address: someEvmAddress })).toBe(10n ** 18n)
})

const someEvmAddress = '0x00000000000000000000000000000000000A11ce'
const someSolanaAddress = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'
const someBitcoinAddress = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

async function askFaucet({ urls }: Stack, account: string) {
  const body = JSON.stringify({ account })
  const request = { method: 'POST', body }
  expect((await fetch(`${urls.web}/v1/faucet?projectId=local`, request)).status).toBe(200)
}

test('param: parts with the Bitcoin chain, whose accounts the server returns', async () => {
  const parts: Part[] = ['chains', 'bitcoin', 'faucet', 'server']
  const parameters = { mode: 'production', ports: 'free', dataDir: folder(), parts } as const
  const stack = await startStack({ ...parameters, log: () => {} })
  cleanups.push(stack.stop)
  const holdings = async (holder: string | undefined) => {
    const url = `${stack.urls.web}/v1/account/${holder}/balance?projectId=local`
    return (await (await fetch(url)).json()).balances
  }
  const btc = { chainId: bitcoinChain.id, symbol: 'BTC' }
  expect(await holdings(stack.bitcoinAccounts[9]?.payment.address)).toMatchObject([
    { ...btc, quantity: { numeric: '5' } },
  ])
  await askFaucet(stack, `${bitcoinChain.id}:${someBitcoinAddress}`)
  expect(await holdings(someBitcoinAddress)).toMatchObject([
    { ...btc, quantity: { numeric: '0.1' } },
  ])
})

test('behavior: two stacks run at the same time', async () => {
  const [first, second] = await Promise.all([start(), start()])
  expect(await answers(`${first.urls.web}/ready`)).toBe(true)
  expect(await answers(`${second.urls.web}/ready`)).toBe(true)
  expect(first.urls.web).not.toBe(second.urls.web)
})

test('behavior: a process that ends unexpectedly is reported', async () => {
  const stack = await start()
  stack.kill()
  expect((await stack.died).name).toMatch(/^(server|chain-3133[78])$/)
})

test('error: a server that cannot start ends the chains, and the error has the reason', async () => {
  const parameters = { mode: 'production', ports: 'free', log: () => {} } as const
  process.env.LOG_LEVEL = 'shout'
  cleanups.push(() => Reflect.deleteProperty(process.env, 'LOG_LEVEL'))
  const dataDir = folder()
  await expect(startStack({ ...parameters, dataDir, parts: ['chains', 'server'] })).rejects.toThrow(
    /^server ended before it was ready:[\s\S]*LOG_LEVEL/,
  )
})

// Runs the command itself, on separate ports and data, with the parts that need no build.
async function run(args: string[]) {
  const names = [
    'PORT',
    'FRAME_PORT',
    'WALLET_PORT',
    'INBOX_PORT',
    'MEDIA_PORT',
    'BITCOIN_PORT',
    'FAUCET_PORT',
    'EVM_PORT',
    'EVM2_PORT',
    'SOLANA_PORT',
  ]
  const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())]))
  const env = { ...process.env, ...Object.fromEntries(ports), LATCHKEY_DATA: folder() }
  const script = `import { launch } from ${JSON.stringify(`${root}/dev/src/launch.ts`)}
    await launch({ mode: 'production', args: ${JSON.stringify(args)}, parts: ['chains'] })`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { text: '' }
  const add = (data: Buffer) => {
    output.text += String(data)
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  const code = new Promise((resolve) => child.once('close', resolve))
  cleanups.push(() => child.kill('SIGKILL'))
  return { child, output, code, env: env as Record<string, string> }
}

test('behavior: the command lists addresses and stops everything on Ctrl-C', async () => {
  const { child, output, code, env } = await run([])
  await expect.poll(() => output.text).toMatch(/Ready in \d+\.\d s/)
  expect(output.text).toContain(`Web app                http://127.0.0.1:${env.PORT}`)
  expect(output.text).toContain(`Latchkey One (31337)   http://127.0.0.1:${env.EVM_PORT}`)
  child.kill('SIGINT')
  child.kill('SIGINT')
  expect(await code).toBe(0)
  expect(output.text).toMatch(/Stopped in \d+\.\d s\n$/)
  expect(await answers(`http://127.0.0.1:${env.EVM_PORT}`)).toBe(false)
})

test('behavior: Ctrl-C while starting stops too', async () => {
  const { child, output, code, env } = await run([])
  await expect.poll(() => output.text, { interval: 5 }).toContain('Latchkey')
  child.kill('SIGTERM')
  expect(await code).toBe(0)
  expect(await answers(`http://127.0.0.1:${env.EVM_PORT}`)).toBe(false)
})

test('error: an unknown option', async () => {
  const { output, code } = await run(['--clean'])
  expect(await code).toBe(1)
  expect(output.text).toBe('\n--clean is not an option: there is only --fresh\n')
})
