import type { ChainId } from '@latchkey/wire'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import type { UpstreamCall, Upstreams } from '../rpc/upstreams.ts'
