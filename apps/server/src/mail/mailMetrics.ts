import { Counter, Gauge, type Registry } from 'prom-client'

type Now = { waiting(): number; away(): boolean }

/** Counts mails by outcome and reports the state of the mail server. */
export function createMailMetrics(registry: Registry, now: Now): Counter<'outcome'> {
  const registers = [registry]
  new Gauge({
    name: 'latchkey_mails_waiting',
    help: 'Mails that the mail server has not accepted yet',
    registers,
    collect() {
      this.set(now.waiting())
    },
  })
  new Gauge({
    name: 'latchkey_mail_server_up',
    help: '1 while the mail server answers, 0 while it does not',
    registers,
    collect() {
      this.set(now.away() ? 0 : 1)
    },
  })
  return new Counter({
    name: 'latchkey_mails_total',
    help: 'Mails by outcome: taken, refused (the mailbox), failed',
    labelNames: ['outcome'] as const,
    registers,
  })
}
