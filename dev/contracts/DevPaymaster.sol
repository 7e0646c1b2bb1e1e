// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "@account-abstraction/contracts/interfaces/PackedUserOperation.sol";

/// Pays for the user operations that `signer` has signed (ERC-4337, EntryPoint 0.8); its deposit is
/// at the EntryPoint. `paymasterData`: validUntil (6 bytes, seconds), validAfter (6 bytes), bundler
/// (20 bytes), delegate (20 bytes), signature (65 bytes). If `bundler` is not zero, the paymaster
/// pays only in a transaction of this address: the EntryPoint pays for the gas to an address that
/// the caller of `handleOps` chooses, and any caller could choose its own. If `delegate` is not
/// zero, it pays only for an account that delegates to it (EIP-7702) in this block: another
/// contract could interpret the same `callData` differently.
contract DevPaymaster {
    uint256 private constant DATA_OFFSET = 52;
    uint256 private constant SIGNATURE_OFFSET = DATA_OFFSET + 52;

    address public immutable entryPoint;
    address public immutable signer;

    constructor(address entryPoint_, address signer_) {
        entryPoint = entryPoint_;
        signer = signer_;
    }

    /// The hash that `signer` signs (EIP-191): everything that the account signs, except this
    /// signature.
    function getHash(PackedUserOperation calldata op) public view returns (bytes32) {
        return keccak256(
            abi.encode(
                op.sender,
                op.nonce,
                keccak256(op.initCode),
                keccak256(op.callData),
                op.accountGasLimits,
                op.preVerificationGas,
                op.gasFees,
                // The paymaster, its two gas limits, and the data before the signature.
                keccak256(op.paymasterAndData[:SIGNATURE_OFFSET]),
                block.chainid
            )
        );
    }

    /// IPaymaster. Returns no context: nothing runs after the operation.
    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32, uint256)
        external
        view
        returns (bytes memory context, uint256 validationData)
    {
        require(msg.sender == entryPoint, "DevPaymaster: not the EntryPoint");
        bytes calldata data = op.paymasterAndData[DATA_OFFSET:];
        require(data.length == 117, "DevPaymaster: paymasterData");
        bytes32 hash = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", getHash(op)));
        address found = ecrecover(hash, uint8(data[116]), bytes32(data[52:84]), bytes32(data[84:116]));
        bool isWrong = found == address(0) || found != signer;
        address bundler = address(bytes20(data[12:32]));
        // No call from the bundler's transaction can call `handleOps` itself, because the
        // EntryPoint is not reentrant. Without a bundler, ORIGIN is not used: ERC-7562 forbids it
        // to the paymasters that other bundlers accept.
        if (bundler != address(0)) isWrong = isWrong || tx.origin != bundler;
        address delegate = address(bytes20(data[32:52]));
        if (delegate != address(0)) {
            isWrong = isWrong || op.sender.codehash != keccak256(abi.encodePacked(hex"ef0100", delegate));
        }
        uint48 validUntil = uint48(bytes6(data[:6]));
        uint48 validAfter = uint48(bytes6(data[6:12]));
        // ERC-4337's packing: 1 for a wrong signature, then until and after.
        validationData = (isWrong ? 1 : 0) | (uint256(validUntil) << 160) | (uint256(validAfter) << 208);
        context = "";
    }
}
