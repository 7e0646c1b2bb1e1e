import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { buildClient, type Weight } from './buildClient.ts'
import { createOurs, createTheirs, type Side } from './walletconnectSides.ts'

const names = ['ours', 'theirs'] as const
const warmUps = 5
const rounds = 40
const coldRounds = 30

/** Times in ms, by measurement. */
type Samples = Map<string, number[]>

const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
const describe = ({ bytes, gzip, brotli }: Weight) =>
  `${kB(gzip)} gzip, ${kB(brotli)} brotli, ${kB(bytes)} plain`

async function weigh() {
  const ours = await buildClient("export { createDapp } from '@latchkey/walletconnect'")
  const theirs = await buildClient("export { SignClient } from '@walletconnect/sign-client'")
  for (const [name, { client, lazy }] of Object.entries({ ours, theirs })) {
    console.log(`Client, ${name}: ${describe(client)}`)
    for (const [chunk, weight] of lazy) console.log(`  loads alone: ${chunk} ${describe(weight)}`)
  }
  console.log(`Ratio of gzip: ${(ours.client.gzip / theirs.client.gzip).toFixed(2)}`)
}

async function time<Result>(samples: Samples, name: string, work: () => Promise<Result>) {
  const startedAt = performance.now()
  const result = await work()
  const took = performance.now() - startedAt
  samples.set(name, [...(samples.get(name) ?? []), took])
  return result
}

/** One proposal, one session, three requests, one end. */
async function runWarm(side: Side, samples: Samples) {
  const { uri, settled } = await time(samples, 'offer', () => side.connect())
  const topic = await time(samples, 'pair to settled', () =>
    Promise.all([settled, side.pair(uri)]).then(([topic]) => topic),
  )
  for (let count = 0; count < 3; count++)
    await time(samples, 'request to response', () => side.request(topic))
  await side.disconnect(topic)
}

/** Measures from the start to the first response, including the sockets. */
async function runCold(create: () => Promise<Side>, samples: Samples) {
  const side = await time(samples, 'cold: start to first answer', async () => {
    const side = await create()
    const { uri, settled } = await side.connect()
    const [topic] = await Promise.all([settled, side.pair(uri)])
    await side.request(topic)
    return side
  })
  await side.close()
}

const quantile = (values: readonly number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN

function print(ours: Samples, theirs: Samples) {
  for (const [name, mine] of ours) {
    const other = theirs.get(name) ?? []
    const row = [mine, other].map(
      (values) =>
        `${quantile(values, 0.5).toFixed(1)} ms (p95 ${quantile(values, 0.95).toFixed(1)})`,
    )
    const ratio = (part: number) => (quantile(mine, part) / quantile(other, part)).toFixed(2)
    console.log(
      `${name}: ours ${row[0]}, theirs ${row[1]}; ratio ${ratio(0.5)} (p95 ${ratio(0.95)}), ${mine.length} rounds`,
    )
  }
}

async function measureWarm(relayUrl: string) {
  const samples = { ours: new Map() as Samples, theirs: new Map() as Samples }
  const sides = { ours: await createOurs(relayUrl), theirs: await createTheirs(relayUrl) }
  for (let round = 0; round < warmUps + rounds; round++)
    for (const name of round % 2 ? names : names.toReversed())
      await runWarm(sides[name], round < warmUps ? new Map() : samples[name])
  for (const side of Object.values(sides)) await side.close()
  print(samples.ours, samples.theirs)
}

async function measureCold(relayUrl: string) {
  const samples = { ours: new Map() as Samples, theirs: new Map() as Samples }
  const create = { ours: () => createOurs(relayUrl), theirs: () => createTheirs(relayUrl) }
  for (let round = 0; round < 2 + coldRounds; round++)
    for (const name of round % 2 ? names : names.toReversed())
      await runCold(create[name], round < 2 ? new Map() : samples[name])
  print(samples.ours, samples.theirs)
}

await weigh()
const relay = fork(resolve(import.meta.dirname, 'processes/walletconnectRelay.ts'), {
  execArgv: ['--import', 'tsx'],
})
const [relayUrl] = (await once(relay, 'message')) as [string]
await measureWarm(relayUrl)
await measureCold(relayUrl)
relay.disconnect()
