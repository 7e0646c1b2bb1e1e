// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "@account-abstraction/contracts/interfaces/PackedUserOperation.sol";

/// Pays for the user operations that `signer` has signed (ERC-4337, EntryPoint 0.8); its deposit stands at the EntryPoint.
/// `paymasterData`: validUntil (6 bytes, seconds), validAfter (6 bytes), bundler (20 bytes), signature (65 bytes).
/// If `bundler` is not zero, the paymaster pays only in a transaction that this address sends: the EntryPoint pays for the
/// gas to whomever the caller of `handleOps` names, and any caller could name itself.
contract DevPaymaster {
    uint256 private constant DATA_OFFSET = 52;

    address public immutable entryPoint;
    address public immutable signer;

    constructor(address entryPoint_, address signer_) {
        entryPoint = entryPoint_;
        signer = signer_;
    }

    /// What `signer` signs (EIP-191): all of the operation that the account signs, except this very signature.
    function getHash(PackedUserOperation calldata op, uint48 validUntil, uint48 validAfter, address bundler)
        public
        view
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                op.sender,
                op.nonce,
                keccak256(op.initCode),
                keccak256(op.callData),
                op.accountGasLimits,
                // The paymaster and its two gas limits.
                keccak256(op.paymasterAndData[:DATA_OFFSET]),
                op.preVerificationGas,
                op.gasFees,
                block.chainid,
                validUntil,
                validAfter,
                bundler
            )
        );
    }

    /// Of IPaymaster. No context: nothing is done after the operation.
    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32, uint256)
        external
        view
        returns (bytes memory context, uint256 validationData)
    {
        require(msg.sender == entryPoint, "DevPaymaster: not the EntryPoint");
        bytes calldata data = op.paymasterAndData[DATA_OFFSET:];
        require(data.length == 97, "DevPaymaster: paymasterData");
        uint48 validUntil = uint48(bytes6(data[:6]));
        uint48 validAfter = uint48(bytes6(data[6:12]));
        address bundler = address(bytes20(data[12:32]));
        bytes32 signed = getHash(op, validUntil, validAfter, bundler);
        bytes32 hash = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", signed));
        address found = ecrecover(hash, uint8(data[96]), bytes32(data[32:64]), bytes32(data[64:96]));
        bool isWrong = found == address(0) || found != signer;
        // Nothing that the bundler carries can call `handleOps` itself: the EntryPoint cannot be entered twice.
        // Without a bundler, ORIGIN is not used: ERC-7562 forbids it to the paymasters that other bundlers accept.
        if (bundler != address(0)) isWrong = isWrong || tx.origin != bundler;
        // As ERC-4337 packs it: 1 for a wrong signature, then until and after.
        validationData = (isWrong ? 1 : 0) | (uint256(validUntil) << 160) | (uint256(validAfter) << 208);
        context = "";
    }
}
