import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorStatus } from './errorStatus.ts'
import { errors, LatchkeyError } from './errors.ts'
import { getAlertText, getPresentation } from './presentation.ts'
import { rpcCodes } from './rpcCodes.ts'

const introduction = `# Errors

All errors of the packages and of the server have these codes. \`isLatchkeyError(error, 'NOT_CONNECTED')\` of
\`@latchkey/react\` tells whether an error has a code. \`{name}\` is filled from \`error.data\`.

- **Message**: \`error.message\`, in English, for developers. The modal shows people its message of the code, which an app
  translates with the key \`error.CODE\` ([upgrading](upgrading.md#messages-of-errors)).
- **HTTP**: the status that the server answers with. **RPC**: \`error.code\` of an EIP-1193 provider and of JSON-RPC.
- **Shown as**: an alert is shown once, with a second sentence. A toast closes by itself. All other errors appear at
  the action that failed.

This page is written by \`npx vitest run errorsPage -u\`.
`

test('behavior: docs/errors.md lists every error', async () => {
  const source = await readFile(join(import.meta.dirname, 'errors.ts'), 'utf8')
  const table = source.slice(source.indexOf('export const errors'), source.indexOf('} as const'))
  const lines = [introduction]
  const listed: string[] = []
  for (const [, heading, code] of table.matchAll(/^ {2}(?:\/\/ (.+)|([A-Z0-9_]+):)/gm)) {
    if (heading) {
      lines.push(`## ${heading}\n`)
      lines.push('| Code | Message | HTTP | RPC | Shown as |\n|---|---|---|---|---|')
    } else if (code) {
      listed.push(code)
      lines.push(describeError(code as keyof typeof errors))
    }
  }
  expect(listed).toEqual(Object.keys(errors))
  const page = `${lines.join('\n').replaceAll('|\n##', '|\n\n##')}\n`
  await expect(page).toMatchFileSnapshot(join(import.meta.dirname, '../../../../docs/errors.md'))
})

function describeError(code: keyof typeof errors): string {
  const alert = getAlertText(new LatchkeyError(code, { data: {} } as never))
  const shown = getPresentation(code)
  const cells = [
    `\`${code}\``,
    alert ? `${errors[code]}. ${alert}` : errors[code],
    (errorStatus as Readonly<Record<string, number>>)[code] ?? '',
    (rpcCodes as Readonly<Record<string, number>>)[code] ?? '',
    shown === 'inline' ? '' : shown,
  ]
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
}
