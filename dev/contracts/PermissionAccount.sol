// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {BaseAccount} from "@account-abstraction/contracts/core/BaseAccount.sol";
import {IAccount} from "@account-abstraction/contracts/interfaces/IAccount.sol";
import {IEntryPoint} from "@account-abstraction/contracts/interfaces/IEntryPoint.sol";
import {PackedUserOperation} from "@account-abstraction/contracts/interfaces/PackedUserOperation.sol";
import {SIG_VALIDATION_FAILED, SIG_VALIDATION_SUCCESS} from "@account-abstraction/contracts/core/Helpers.sol";

/// An EIP-7702 account at EntryPoint 0.8 that also executes for a delegation manager (ERC-7710),
/// within permissions. Unlike other accounts, it accepts a delegation only if its owner has stored
/// the delegation's hash on the chain: a signature alone, which any page could request as typed
/// data, moves nothing.
contract PermissionAccount is BaseAccount, IERC165, IERC1271, ERC1155Holder, ERC721Holder {
    /// keccak256("latchkey.permissions") - 1, without its last byte (ERC-7201): no other delegate
    /// of this account writes there.
    bytes32 private constant SLOT = keccak256(abi.encode(uint256(keccak256("latchkey.permissions")) - 1)) & ~bytes32(uint256(0xff));
    uint256 private constant HEAD = 52;

    address public immutable manager;

    event PermissionGranted(bytes32 indexed hash);
    event PermissionRevoked(bytes32 indexed hash);

    constructor(address manager_) {
        manager = manager_;
    }

    function entryPoint() public pure override returns (IEntryPoint) {
        return IEntryPoint(0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108);
    }

    /// Allows the manager to act by these delegations from now on, within their caveats.
    function grantPermissions(bytes32[] calldata hashes) external {
        _requireForExecute();
        for (uint256 i = 0; i < hashes.length; i++) {
            _granted()[hashes[i]] = true;
            emit PermissionGranted(hashes[i]);
        }
    }

    function revokePermissions(bytes32[] calldata hashes) external {
        _requireForExecute();
        for (uint256 i = 0; i < hashes.length; i++) {
            delete _granted()[hashes[i]];
            emit PermissionRevoked(hashes[i]);
        }
    }

    function isGranted(bytes32 hash) external view returns (bool) {
        return _granted()[hash];
    }

    /// The manager calls this after the delegation's caveats have passed. Executes one plain call:
    /// `mode` is zero (ERC-7579), `execution` packs target, value and data.
    function executeFromExecutor(bytes32 mode, bytes calldata execution) external payable returns (bytes[] memory results) {
        require(msg.sender == manager, "PermissionAccount: not the manager");
        require(mode == bytes32(0) && execution.length >= HEAD, "PermissionAccount: mode");
        address target = address(bytes20(execution[:20]));
        // A permission must not be able to extend itself.
        require(
            target != address(this) && target != manager && target != address(entryPoint()),
            "PermissionAccount: target"
        );
        (bool isDone, bytes memory result) = target.call{value: uint256(bytes32(execution[20:HEAD]))}(execution[HEAD:]);
        if (!isDone) {
            assembly ("memory-safe") {
                revert(add(result, 32), mload(result))
            }
        }
        results = new bytes[](1);
        results[0] = result;
    }

    /// ERC-1271. For the manager, the delegations that the owner has granted; for all others, the
    /// signature of the owner's key.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        bool isValid = msg.sender == manager ? _granted()[hash] : _isOwner(hash, signature);
        return isValid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    function supportsInterface(bytes4 id) public pure override(ERC1155Holder, IERC165) returns (bool) {
        return id == type(IERC165).interfaceId || id == type(IAccount).interfaceId || id == type(IERC1271).interfaceId
            || id == 0x4e2312e0 || id == 0x150b7a02;
    }

    function _validateSignature(PackedUserOperation calldata op, bytes32 hash) internal view override returns (uint256) {
        return _isOwner(hash, op.signature) ? SIG_VALIDATION_SUCCESS : SIG_VALIDATION_FAILED;
    }

    function _isOwner(bytes32 hash, bytes calldata signature) private view returns (bool) {
        (address found, ECDSA.RecoverError problem,) = ECDSA.tryRecover(hash, signature);
        return problem == ECDSA.RecoverError.NoError && found == address(this);
    }

    function _requireForExecute() internal view override {
        require(msg.sender == address(this) || msg.sender == address(entryPoint()), "PermissionAccount: not the owner");
    }

    function _granted() private pure returns (mapping(bytes32 => bool) storage granted) {
        bytes32 slot = SLOT;
        assembly ("memory-safe") {
            granted.slot := slot
        }
    }

    receive() external payable {}

    fallback() external payable {}
}
