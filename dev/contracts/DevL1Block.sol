// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Replaces L1Block, the contract of the OP stack with the data of the layer below. The network
/// itself reads these slots when it charges the fee for a transaction's data, so their order must
/// stay. On this network only `anvil_setStorageAt` changes them.
contract DevL1Block {
    uint64 public number;
    uint64 public timestamp;
    uint256 public basefee;
    bytes32 public hash;
    uint64 public sequenceNumber;
    uint32 public blobBaseFeeScalar;
    uint32 public baseFeeScalar;
    bytes32 public batcherHash;
    uint256 public l1FeeOverhead;
    uint256 public l1FeeScalar;
    uint256 public blobBaseFee;
    uint64 public operatorFeeConstant;
    uint32 public operatorFeeScalar;
}
