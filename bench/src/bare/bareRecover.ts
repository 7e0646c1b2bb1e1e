import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hex, recoverMessageAddress } from 'viem'
import { tellCpuTime } from '../measure/cpuTime.ts'

// A minimal server for a sign-in of an EVM account: returns the signer of a message. It checks and
// stores nothing.
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString()) as { message: string; signature: Hex }
  const address = await recoverMessageAddress(body)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ address }))
})
tellCpuTime()
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.once('disconnect', () => process.exit(0))
