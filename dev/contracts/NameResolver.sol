// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The resolver of a name whose records are on a Latchkey server. Resolves all names below it
/// (ENSIP-10) with the server's response (EIP-3668), if the server's key has signed it and it has
/// not expired.
contract NameResolver {
    address public immutable owner;
    address public signer;
    string[] private _urls;

    event Changed(address signer, string[] urls);

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error Expired(uint64 expires);
    error WrongSigner(address signer);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    constructor(address signer_, string[] memory urls) {
        owner = msg.sender;
        signer = signer_;
        _urls = urls;
        emit Changed(signer_, urls);
    }

    function change(address signer_, string[] memory urls) external onlyOwner {
        signer = signer_;
        _urls = urls;
        emit Changed(signer_, urls);
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        bytes memory request = abi.encodeCall(this.resolve, (name, data));
        revert OffchainLookup(address(this), _urls, request, this.resolveWithProof.selector, request);
    }

    /// `response` is (result, expires, signature), `extraData` the request.
    function resolveWithProof(bytes calldata response, bytes calldata extraData) external view returns (bytes memory) {
        (bytes memory result, uint64 expires, bytes memory signature) = abi.decode(response, (bytes, uint64, bytes));
        if (expires < block.timestamp) revert Expired(expires);
        bytes32 hash = keccak256(
            abi.encodePacked(hex"1900", address(this), expires, keccak256(extraData), keccak256(result))
        );
        address by = _recover(hash, signature);
        if (by == address(0) || by != signer) revert WrongSigner(by);
        return result;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x9061b923;
    }

    function _recover(bytes32 hash, bytes memory signature) private pure returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        return ecrecover(hash, v, r, s);
    }
}
