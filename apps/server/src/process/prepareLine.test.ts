import { pino } from 'pino'
import { expect, test } from 'vitest'
import { prepareLine } from './prepareLine.ts'

const bindings = { route: '/v1/"quoted"', status: '200', projectId: undefined }
const values = { requestId: 'one', durationMs: 3 }

function open(level: string) {
  const lines: string[] = []
  const timestamp = () => ',"time":1'
  const log = pino({ level, base: null, timestamp }, { write: (line) => void lines.push(line) })
  return { log: log.child({ area: 'api' }), lines }
}

test('default: a prepared line equals the line that pino writes', () => {
  const { log, lines } = open('info')
  log.child(bindings).info(values, 'a "request"')
  prepareLine(log, { level: 'info', bindings, message: 'a "request"' })(
    '"requestId":"one","durationMs":3',
  )
  expect(lines[1]).toBe(lines[0])
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ area: 'api', level: 30, ...values })
})

test('param: level that the log leaves out: nothing is written', () => {
  const { log, lines } = open('warn')
  prepareLine(log, { level: 'info', bindings, message: 'request' })('"durationMs":3')
  expect(lines).toEqual([])
})
