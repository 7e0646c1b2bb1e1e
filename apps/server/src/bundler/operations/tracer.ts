import * as z from 'zod'
import { entryPoint } from './userOperation.ts'

const names = z.array(z.string().max(80)).max(10_000)
const facts = z.object({
  opcodes: names,
  /** Slots by contract. */
  slots: z.record(z.string().max(64), names),
  /** Bytes that begin with the account's address and were hashed: the keys of mappings. */
  hashed: z.array(z.string().max(2_000)).max(10_000),
  /** Calls that ended because their gas was used up. */
  outOfGas: z.int(),
  /** Addresses whose code was used: with code, and without. */
  code: names,
  noCode: names,
  /** Addresses other than the account that delegate by EIP-7702 and were used. */
  delegated: names,
  /** Calls that carried value, not to the EntryPoint. */
  paid: z.int(),
  /** Uses of the EntryPoint: how, by whom, with what input (at most 36 bytes of it). */
  entryPoint: z
    .array(z.object({ how: z.string(), from: z.string(), input: z.string(), size: z.int() }))
    .max(10_000),
  /** Why the whole call of the entity failed; empty if it did not. */
  error: z.string(),
  /** The beginning of what the entity returned, at most 192 bytes. */
  output: z.string(),
})
/** The facts about an account or a paymaster while it validated. */
export type Facts = z.infer<typeof facts>

/** The trace of a validation: the account, then the paymaster if there is one. */
export const traced = z.object({
  facts: z.array(facts).min(1).max(2),
  isStopped: z.boolean(),
})

/**
 * The message of the tracer's own error. Nodes that do not return the result of a stopped tracer
 * return this message.
 */
export const tooManySteps = 'too many steps'

/**
 * The tracer, JavaScript for the node as geth, reth, erigon and anvil run it. It stops by itself
 * after `maxSteps` steps, because not every node keeps a time limit; 32 bytes of a call's input, of
 * what is hashed or of code that it reads count as a step, because they cost the node time without
 * costing the sender gas. Steps of the EntryPoint itself are not attributed to the entity.
 */
export const createTracer = ({ sender, maxSteps }: { sender: string; maxSteps: number }): string =>
  `{
facts: [], at: null, frames: [], plain: [], steps: 0, inputSize: 0, last: '', isStopped: false,
entryPoint: '${entryPoint}', sender: '${sender}',
create: function () {
  return { opcodes: {}, slots: {}, hashed: {}, outOfGas: 0, code: {}, noCode: {}, delegated: {}, paid: 0, entryPoint: [], error: '', output: '0x' };
},
count: function (steps) {
  this.steps += steps;
  if (this.steps > ${maxSteps}) { this.isStopped = true; throw new Error('${tooManySteps}'); }
},
use: function (at, db) {
  var bytes = toAddress(at), address = '0x' + at, number = parseInt(at, 16), code, delegate;
  if (this.at.code[address] || this.at.noCode[address]) return;
  if (isPrecompiled(bytes)) {
    if (number > 17 && number !== 256) this.at.noCode[address] = 1;
    return;
  }
  code = db.getCode(bytes);
  this.count(code.length / 32);
  if (code.length === 0 && address !== this.sender) this.at.noCode[address] = 1;
  if (code.length === 0) return;
  this.at.code[address] = 1;
  delegate = code.length === 23 ? toHex(code) : '';
  if (delegate.slice(0, 8) !== '0xef0100') return;
  this.at.code['0x' + delegate.slice(8)] = 1;
  if (address !== this.sender) this.at.delegated[address] = 1;
},
step: function (log, db) {
  this.count(1);
  var f = this.at, own = this.frames[this.frames.length - 1], op, call, to, isEntryPoint, start, size, end, hex;
  if (!f || own === this.entryPoint) return;
  op = log.op.toString();
  call = op === 'CALL' || op === 'STATICCALL' || op === 'DELEGATECALL' || op === 'CALLCODE';
  if (this.last === 'GAS' && !call) f.opcodes.GAS = 1;
  if (this.last.slice(0, 11) === 'entryPoint ' && !(this.last === 'entryPoint EXTCODESIZE' && op === 'ISZERO'))
    f.entryPoint.push({ how: this.last.slice(11), from: own, input: '0x', size: 0 });
  this.last = op;
  if (call) {
    this.inputSize = parseInt(log.stack.peek(op === 'CALL' || op === 'CALLCODE' ? 4 : 3).toString());
    this.count(this.inputSize / 32);
  }
  if (call || op.slice(0, 7) === 'EXTCODE') {
    to = ('${'0'.repeat(40)}' + log.stack.peek(call ? 1 : 0).toString(16)).slice(-40);
    isEntryPoint = '0x' + to === this.entryPoint;
    if (!isEntryPoint) this.use(to, db);
    else if (!call) this.last = 'entryPoint ' + op;
    if ((op === 'CALL' && !isEntryPoint) || op === 'CALLCODE') if (log.stack.peek(2).toString(16) !== '0') f.paid++;
  } else if (op === 'SLOAD' || op === 'SSTORE' || op === 'TLOAD' || op === 'TSTORE') {
    (f.slots[own] = f.slots[own] || {})[log.stack.peek(0).toString(16)] = 1;
  } else if (op === 'KECCAK256' || op === 'SHA3') {
    start = parseInt(log.stack.peek(0).toString());
    size = parseInt(log.stack.peek(1).toString());
    end = Math.min(start + size, log.memory.length());
    if (size >= 64 && size <= 512 && start + 32 <= end) {
      this.count(size / 32);
      hex = toHex(log.memory.slice(start, end));
      // What lies behind the memory in use is zero.
      while (hex.length < 2 + 2 * size) hex += '00';
      if (hex.slice(0, 66) === '0x${'0'.repeat(24)}' + this.sender.slice(2)) f.hashed[hex] = 1;
    }
  } else if (!/^(GAS$|PUSH|DUP|SWAP|LOG)/.test(op)) f.opcodes[op] = 1;
},
fault: function () {},
enter: function (frame) {
  var type = frame.getType(), to = toHex(frame.getTo()), own = this.frames[this.frames.length - 1], input;
  if (this.frames.length === 0) this.facts.push(this.at = this.create());
  else if (to === this.entryPoint && own !== this.entryPoint) {
    // No call of the EntryPoint that is allowed has more input.
    input = this.inputSize > 36 ? '0x' : toHex(frame.getInput());
    this.at.entryPoint.push({ how: type, from: own, input: input, size: this.inputSize });
  }
  this.frames.push(type === 'DELEGATECALL' || type === 'CALLCODE' ? own : to);
  this.plain.push(isPrecompiled(frame.getTo()));
},
exit: function (result) {
  var error = result.getError(), plain = this.plain.pop();
  this.frames.pop();
  if (error && this.at && !plain && /out ?of ?gas|gas uint64 overflow/i.test(String(error))) this.at.outOfGas++;
  if (error && this.at && /invalid ?(fe)? ?opcode|opcode ?not ?found|not defined/i.test(String(error))) this.at.opcodes.INVALID = 1;
  if (this.frames.length === 0 && this.at) {
    this.at.error = String(error || '');
    this.at.output = toHex(result.getOutput()).slice(0, 386);
    this.at = null;
    this.last = '';
  }
},
result: function () {
  var facts = [], f, slots, at, i;
  for (i = 0; i < this.facts.length; i++) {
    f = this.facts[i];
    slots = {};
    for (at in f.slots) slots[at] = Object.keys(f.slots[at]);
    facts.push({
      opcodes: Object.keys(f.opcodes), slots: slots, hashed: Object.keys(f.hashed), outOfGas: f.outOfGas,
      code: Object.keys(f.code), noCode: Object.keys(f.noCode), delegated: Object.keys(f.delegated),
      paid: f.paid, entryPoint: f.entryPoint, error: f.error, output: f.output
    });
  }
  return { facts: facts, isStopped: this.isStopped };
}
}`
